import type { Site } from '../../../shared/contract/sites.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Screen } from '../output/screen.ts';
import { chooseSite } from '../session/choose-site.ts';
import type { Interruption } from '../session/interruption.ts';
import type { RunContext } from './define-command.ts';

/** The input of a command that uses the engine. */
export interface EngineContext extends RunContext {
  engine: Engine;
  /** Whether another process works on the profile: this one only reads a copy. Only for commands that `reads` names. */
  isElsewhere: boolean;
  interruption: Interruption;
  /** The terminal that shows progress; null without one. */
  screen: Screen | null;
}

/** Returns the account that the command is for. Throws `AppError`. */
export async function currentSite({ engine, globals }: EngineContext): Promise<Site> {
  return chooseSite(await engine.call('sites.list', null), globals);
}
