import type { PresetValues } from '../../../../shared/contract/presets.ts';
import type { DuplicateChoice, PublishChoice, SourceChoice } from '../../../../shared/contract/upload-choices.ts';
import type { BatchDefaults } from '../../../../shared/contract/uploads.ts';
import type { Priority } from '../../../../shared/model/uploads/priorities.ts';

/** The options of the add sheet for all of its files, as the user enters them. */
export interface AddOptions {
  titleTemplate: string;
  tags: string[];
  publish: PublishChoice['kind'];
  duplicates: DuplicateChoice;
  source: SourceChoice['kind'];
  /** The folder that files are moved to; null: not chosen yet. */
  folder: string | null;
  priority: Priority;
}

/** The initial options of a new sheet. */
export function newOptions(): AddOptions {
  return {
    titleTemplate: '{name}',
    tags: [],
    publish: 'draft',
    duplicates: 'ask',
    source: 'keep',
    folder: null,
    priority: 'normal',
  };
}

/** Returns the options in the form of `uploads.add`. `publishAt`: the instant of a scheduled publication. */
export function defaultsOf(options: AddOptions, sidecars: boolean, publishAt: string | null): BatchDefaults {
  const { titleTemplate, tags, publish, duplicates, source, folder, priority } = options;
  return {
    titleTemplate: titleTemplate.trim() || '{name}',
    tags,
    duplicates,
    sidecars,
    priority,
    publish:
      publish === 'at' && publishAt !== null
        ? { kind: publish, at: publishAt }
        : { kind: publish === 'now' ? publish : 'draft' },
    source:
      source === 'move' && folder !== null ? { kind: source, folder } : { kind: source === 'trash' ? source : 'keep' },
  };
}

/** Returns the options in the form of a preset; null while they are incomplete. A preset contains no time of publication. */
export function presetOf(options: AddOptions, sidecars: boolean): PresetValues | null {
  if (options.source === 'move' && options.folder === null) return null;
  const { titleTemplate, tags, duplicates, source } = defaultsOf(options, sidecars, null);
  const publish = options.publish === 'now' ? 'now' : 'draft';
  return { titleTemplate, tags, publish, duplicates, sidecars, source, priority: options.priority };
}

/** Returns the options that a preset sets. */
export function optionsOf({ sidecars: _, source, ...values }: PresetValues): AddOptions {
  return { ...values, source: source.kind, folder: source.kind === 'move' ? source.folder : null };
}
