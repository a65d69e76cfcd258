import type { z } from 'zod';
import { appError } from '../../../shared/contract/app-error.ts';
import type { EngineCallName } from '../../../shared/contract/contract.ts';
import {
  MAX_PRESETS,
  MAX_RECIPES,
  type SavedRecipe,
  savedRecipeSchema,
  type UploadPreset,
  uploadPresetSchema,
} from '../../../shared/contract/presets.ts';
import type { Handlers } from '../common/handlers.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import { type SettingTexts, StoredSettings } from '../store/stored-settings.ts';

type PresetCall = Extract<EngineCallName, `presets.${string}` | `recipes.${string}`>;

interface PresetTools {
  stored: SettingTexts;
  clock: Clock;
  random: Random;
  logger: Logger;
}

/** Saved options of the add sheet by account, and saved recipes of the profile. */
export function presetHandlers(tools: PresetTools): Pick<Handlers, PresetCall> {
  const listTools = { ...tools, settings: new StoredSettings(tools.stored, tools.logger) };
  const presetsOf = (siteId: string) =>
    new NamedList<UploadPreset>(listTools, `presets ${siteId}`, 'preset', uploadPresetSchema, MAX_PRESETS);
  const recipes = new NamedList<SavedRecipe>(listTools, 'recipes', 'recipe', savedRecipeSchema, MAX_RECIPES);
  /** The scope of a preset: its name is unique among the presets of its collection. */
  const inCollection =
    (collectionId: string) =>
    (each: UploadPreset): boolean =>
      each.collectionId === collectionId;
  const anywhere = () => true;
  return {
    'presets.list': async ({ siteId, collectionId }) => presetsOf(siteId).list(inCollection(collectionId)),
    'presets.save': async ({ siteId, collectionId, name, values }) =>
      presetsOf(siteId).save({ collectionId, name, values }, inCollection(collectionId)),
    'presets.rename': async ({ siteId, collectionId, id, name }) =>
      presetsOf(siteId).rename(id, name, inCollection(collectionId)),
    'presets.remove': async ({ siteId, collectionId, id }) => presetsOf(siteId).remove(id, inCollection(collectionId)),
    'presets.use': async ({ siteId, collectionId, id }) => presetsOf(siteId).use(id, inCollection(collectionId)),
    'recipes.list': async () => recipes.list(anywhere),
    'recipes.save': async (recipe) => recipes.save(recipe, anywhere),
    'recipes.rename': async ({ id, name }) => recipes.rename(id, name, anywhere),
    'recipes.remove': async ({ id }) => recipes.remove(id, anywhere),
    'recipes.use': async ({ id }) => recipes.use(id, anywhere),
  };
}

interface Named {
  id: string;
  name: string;
  usedAt: number;
}

type Scope<T> = (each: T) => boolean;

interface ListTools {
  settings: StoredSettings;
  clock: Clock;
  random: Random;
}

/**
 * Named values in one setting. `kind`: the first part of the codes of its errors. `scope`: the values among which a name is
 * unique, and which an answer contains, the most recently used first.
 */
class NamedList<T extends Named> {
  readonly #tools: ListTools;
  readonly #key: string;
  readonly #kind: 'preset' | 'recipe';
  readonly #schema: z.ZodType<T>;
  readonly #most: number;

  constructor(tools: ListTools, key: string, kind: 'preset' | 'recipe', schema: z.ZodType<T>, most: number) {
    this.#tools = tools;
    this.#key = key;
    this.#kind = kind;
    this.#schema = schema;
    this.#most = most;
  }

  list(scope: Scope<T>): T[] {
    return shownOf(this.#read(), scope);
  }

  save(value: Omit<T, 'id' | 'usedAt'>, scope: Scope<T>): T[] {
    const all = this.#read();
    const known = all.find((each) => scope(each) && sameName(each.name, value.name as string));
    if (known === undefined && all.length >= this.#most) {
      throw appError(`${this.#kind}.too-many`, { details: { most: this.#most } });
    }
    const { clock, random } = this.#tools;
    const saved = { ...value, id: known?.id ?? random.uuid(), usedAt: clock.now() } as T;
    return this.#write([...all.filter((each) => each !== known), saved], scope);
  }

  rename(id: string, name: string, scope: Scope<T>): T[] {
    const all = this.#read();
    if (all.some((each) => each.id !== id && scope(each) && sameName(each.name, name))) {
      throw appError(`${this.#kind}.name-taken`, { details: { name } });
    }
    return this.#write(
      all.map((each) => (each.id === id ? { ...each, name } : each)),
      scope,
    );
  }

  remove(id: string, scope: Scope<T>): T[] {
    return this.#write(
      this.#read().filter((each) => each.id !== id),
      scope,
    );
  }

  use(id: string, scope: Scope<T>): T[] {
    const usedAt = this.#tools.clock.now();
    return this.#write(
      this.#read().map((each) => (each.id === id ? { ...each, usedAt } : each)),
      scope,
    );
  }

  #write(all: readonly T[], scope: Scope<T>): T[] {
    this.#tools.settings.setList(this.#key, this.#schema, all);
    return shownOf(all, scope);
  }

  #read(): T[] {
    return this.#tools.settings.list(this.#key, this.#schema) ?? [];
  }
}

function shownOf<T extends Named>(all: readonly T[], scope: Scope<T>): T[] {
  return all.filter(scope).sort((a, b) => b.usedAt - a.usedAt || a.name.localeCompare(b.name));
}

function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
