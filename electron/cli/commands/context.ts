import type { Site } from '../../../shared/contract/sites.ts';
import type { Engine } from '../../engine/engine.ts';
import { chooseSite } from '../choose-site.ts';
import type { GlobalOptions } from '../command.ts';
import type { Interruption } from '../interruption.ts';
import type { Output } from '../output.ts';

/** What a command works with. */
export interface CommandContext {
  engine: Engine;
  globals: GlobalOptions;
  output: Output;
  interruption: Interruption;
  /** Where progress is drawn; null where there is no terminal. */
  terminal: NodeJS.WriteStream | null;
}

/** The account that the command is for. Throws `AppError`. */
export async function currentSite({ engine, globals }: CommandContext): Promise<Site> {
  return chooseSite(await engine.call('sites.list', null), globals);
}
