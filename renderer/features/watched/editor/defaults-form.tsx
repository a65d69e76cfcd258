import type { FolderSettings } from '../../../../shared/contract/watch-rules.ts';
import { DEFAULT_RULE_ID } from '../../../../shared/model/watch/apply-rules.ts';
import { Segments } from '../../../kit/components/forms/choice.tsx';
import { PresetMenu } from '../../common/presets/saved-menu.tsx';
import { ManifestChoice } from '../add/manifest-offer.tsx';
import { SweepField } from '../rules/amount-field.tsx';
import { ConditionFields } from '../rules/condition-fields.tsx';
import {
  DetailsField,
  DuplicatesSetting,
  PriorityField,
  PublishField,
  SidecarsSetting,
  SourceSetting,
  TagsField,
  TitleSetting,
} from '../rules/setting-fields.tsx';
import { TargetField } from '../rules/target-field.tsx';
import { changeDraft, changeRules } from '../state/folder-draft.ts';
import {
  changeConditions,
  changeDefaults,
  presetOfSettings,
  presetPlaceOf,
  settingsOfPreset,
} from '../state/rules-draft.ts';
import { useMarkedGlob } from '../state/rules-preview.ts';
import type { FolderDraft } from '../state/stored-draft.ts';
import { texts } from '../texts.ts';
import styles from './editor.module.css';
import { useProblem } from './rule-form.tsx';
import { texts as editor } from './texts.ts';

/** The form for files that no rule matches. Its settings are the defaults of all rules. Below them: settings of the folder. */
export function DefaultsForm({ draft }: { draft: FolderDraft }) {
  const { settings, conditions } = draft.rules.defaults;
  const marked = useMarkedGlob(DEFAULT_RULE_ID);
  const problem = useProblem(draft, DEFAULT_RULE_ID);
  const change = (patch: Partial<FolderSettings>) => changeRules((rules) => changeDefaults(rules, patch));
  return (
    <>
      <h2 className={styles.groupTitle}>{editor.conditionsOther}</h2>
      <ConditionFields
        conditions={conditions}
        marked={marked}
        onChange={(patch) => changeRules((rules) => changeConditions(rules, DEFAULT_RULE_ID, patch))}
      />
      <h2 className={styles.groupTitle}>{editor.settings}</h2>
      <TargetField
        siteId={settings.siteId}
        collection={settings.collection}
        onChange={change}
        error={problem('no-collection')}
      />
      <PresetMenu
        siteId={settings.siteId}
        collectionId={presetPlaceOf(settings.collection)}
        values={presetOfSettings(settings)}
        onApply={(values) => change(settingsOfPreset(values))}
      />
      <TitleSetting value={settings.titleTemplate} onChange={(titleTemplate) => change({ titleTemplate })} />
      <TagsField value={settings.tags} onChange={(tags) => change({ tags })} />
      <PublishField value={settings.publish} onChange={(publish) => change({ publish })} />
      <DuplicatesSetting value={settings.duplicates} onChange={(duplicates) => change({ duplicates })} />
      <SidecarsSetting value={settings.sidecars} onChange={(sidecars) => change({ sidecars })} />
      <DetailsField value={settings.details} onChange={(details) => change({ details })} />
      <ManifestChoice value={settings.manifest ?? false} onChange={(manifest) => change({ manifest })} />
      <SourceSetting value={settings.source} onChange={(source) => change({ source })} error={problem('no-folder')} />
      <PriorityField value={settings.priority} onChange={(priority) => change({ priority })} />
      <h2 className={styles.groupTitle}>{editor.folder}</h2>
      <ExistingField draft={draft} error={problem('no-existing-choice')} />
      <SweepField value={draft.sweepEveryMs} onChange={(sweepEveryMs) => changeDraft({ sweepEveryMs })} />
    </>
  );
}

function ExistingField({ draft, error }: { draft: FolderDraft; error: string | null }) {
  return (
    <div>
      <Segments
        label={draft.folderId === null ? texts.add.existing : editor.existing}
        value={draft.existing ?? ''}
        options={[
          { value: 'skip', label: editor.existingSkip },
          { value: 'upload', label: editor.existingUpload },
        ]}
        onChange={(existing) => changeDraft({ existing: existing === 'upload' ? 'upload' : 'skip' })}
      />
      {error === null ? null : (
        <p className={styles.problem} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
