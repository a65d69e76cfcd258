import { z } from 'zod';
import { appErrorSchema } from '../../../shared/contract/app-error.ts';
import { type WatchedFolder, watchedFolderSchema } from '../../../shared/contract/watch.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { whenStoreWorks } from '../scheduler/when-store-works.ts';
import type { SettingStore } from '../store/setting-store.ts';

const NAME = 'watch.shown-states';
const shownSchema = z.record(
  z.string(),
  z.object({
    state: watchedFolderSchema.shape.state,
    notice: appErrorSchema.nullable(),
    movedTo: z.string().nullable(),
  }),
);
type Shown = z.output<typeof shownSchema>;

/**
 * The states of the watched folders in the process that watches them. Stored, so that a process that only reads the profile
 * beside it shows them. They belong to one process: the next one that opens the profile removes them.
 */
export class ShownStates {
  readonly #settings: SettingStore;
  readonly #tools: { clock: Clock; logger: Logger };
  readonly #elsewhere: Shown | null;
  #stored = '';
  #cancelRetry: (() => void) | null = null;

  constructor(settings: SettingStore, tools: { clock: Clock; logger: Logger; isCopy: boolean }) {
    this.#settings = settings;
    this.#tools = tools;
    this.#elsewhere = tools.isCopy ? parse(settings.get(NAME)) : null;
    if (!tools.isCopy && (settings.get(NAME) ?? '') !== '') this.#write('');
  }

  /** Returns the state of a folder in the other process; null when this process is the only one, or the other does not watch. */
  elsewhere(folderId: string): Shown[string] | null {
    return this.#elsewhere?.[folderId] ?? null;
  }

  /** Stores the states that this process shows, if one changed. */
  keep(folders: readonly WatchedFolder[]): void {
    const shown: Shown = Object.fromEntries(
      folders.map(({ id, state, notice, movedTo }) => [id, { state, notice, movedTo }]),
    );
    const text = JSON.stringify(shown);
    if (text !== this.#stored) this.#write(text);
  }

  dispose(): void {
    this.#cancelRetry?.();
  }

  #write(text: string): void {
    this.#cancelRetry?.();
    this.#cancelRetry = whenStoreWorks(
      this.#tools,
      'watch-states',
      () => {
        this.#settings.set(NAME, text);
        this.#stored = text;
      },
      () => this.#write(text),
    );
  }
}

function parse(text: string | null): Shown | null {
  if (text === null || text === '') return null;
  try {
    return shownSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
