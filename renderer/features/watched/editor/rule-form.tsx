import { Plus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../../kit/components/button.tsx';
import { Checkbox, Segments } from '../../../kit/components/forms/choice.tsx';
import { TextField } from '../../../kit/components/forms/field.tsx';
import { ActionMenu } from '../../../kit/components/overlay/menu.tsx';
import { PresetMenu } from '../../common/presets/saved-menu.tsx';
import { draftProblemText } from '../folder-text.ts';
import { ConditionFields } from '../rules/condition-fields.tsx';
import {
  DetailsField,
  DuplicatesSetting,
  ManifestSetting,
  PriorityField,
  PublishField,
  SidecarsSetting,
  SourceSetting,
  TagsField,
  TitleSetting,
} from '../rules/setting-fields.tsx';
import { TargetField } from '../rules/target-field.tsx';
import { changeRules, draftProblemsOf, useDraft } from '../state/folder-draft.ts';
import {
  addOwn,
  changeConditions,
  changeOwn,
  changeRule,
  type DraftProblem,
  dropOwn,
  OWN_SETTINGS,
  type OwnSetting,
  ownSettings,
  presetOfSettings,
  presetPlaceOf,
  type RuleSettings,
  settingsOfPreset,
  type WatchRule,
  withAction,
} from '../state/rules-draft.ts';
import { useMarkedGlob } from '../state/rules-preview.ts';
import type { FolderDraft } from '../state/stored-draft.ts';
import { texts } from '../texts.ts';
import styles from './editor.module.css';
import { texts as editor } from './texts.ts';

const { fields } = texts;

/** One rule: its name, the conditions that a file has to meet, and its settings. */
export function RuleForm({ draft, rule }: { draft: FolderDraft; rule: WatchRule }) {
  const marked = useMarkedGlob(rule.id);
  const problem = useProblem(draft, rule.id);
  const change = (next: (rule: WatchRule) => WatchRule) => changeRules((rules) => changeRule(rules, rule.id, next));
  const noName = problem('no-name');
  return (
    <>
      <div className={styles.nameLine}>
        <TextField
          label={editor.name}
          value={rule.name}
          maxLength={200}
          onChange={(name) => change((before) => ({ ...before, name }))}
          error={noName === null ? null : { message: noName }}
        />
        <Checkbox isSelected={rule.enabled} onChange={(enabled) => change((before) => ({ ...before, enabled }))}>
          {editor.enabled}
        </Checkbox>
      </div>
      <h2 className={styles.groupTitle}>{editor.conditions}</h2>
      <ConditionFields
        conditions={rule.conditions}
        marked={marked}
        onChange={(patch) => changeRules((rules) => changeConditions(rules, rule.id, patch))}
      />
      <Segments
        label={editor.action}
        value={rule.action.kind}
        options={[
          { value: 'upload', label: editor.upload },
          { value: 'skip', label: editor.skip },
        ]}
        onChange={(kind) => change((before) => withAction(before, kind))}
      />
      {rule.action.kind === 'skip' ? null : (
        <OwnSettings draft={draft} rule={rule} settings={rule.action.settings} problem={problem} />
      )}
    </>
  );
}

type FindProblem = (kind: DraftProblem['kind']) => string | null;

/** Returns the problems of a rule as sentences, from the first attempt to save on. */
export function useProblem(draft: FolderDraft, ruleId: string): FindProblem {
  const showsProblems = useDraft((state) => state.showsProblems);
  const problems = showsProblems ? draftProblemsOf(draft).filter((problem) => problem.ruleId === ruleId) : [];
  return (kind) => {
    const found = problems.find((problem) => problem.kind === kind);
    return found === undefined ? null : draftProblemText(found);
  };
}

/** The names of the settings in the menu. */
const NAMES: Readonly<Record<OwnSetting, string>> = {
  collection: fields.collection,
  titleTemplate: fields.titles,
  tags: fields.tags,
  publish: fields.publish,
  priority: fields.priority,
  duplicates: fields.duplicates,
  sidecars: fields.sidecars,
  source: fields.after,
  details: fields.details,
  manifest: fields.manifest,
};

interface OwnSettingsProps {
  draft: FolderDraft;
  rule: WatchRule;
  settings: RuleSettings;
  problem: FindProblem;
}

/** The settings in which the rule differs from the rest of the files. */
function OwnSettings({ draft, rule, settings, problem }: OwnSettingsProps) {
  const own = ownSettings(rule);
  const left = OWN_SETTINGS.filter((key) => !own.includes(key));
  const change = (patch: RuleSettings) => changeRules((rules) => changeOwn(rules, rule.id, patch));
  const { siteId = draft.rules.defaults.settings.siteId } = settings;
  const field = (key: OwnSetting): ReactNode => {
    switch (key) {
      case 'collection':
        return settings.collection === undefined ? null : (
          <TargetField
            siteId={siteId}
            collection={settings.collection}
            onChange={change}
            error={problem('no-collection')}
          />
        );
      case 'titleTemplate':
        return (
          <TitleSetting value={settings.titleTemplate ?? ''} onChange={(titleTemplate) => change({ titleTemplate })} />
        );
      case 'tags':
        return <TagsField value={settings.tags ?? []} onChange={(tags) => change({ tags })} />;
      case 'publish':
        return (
          <PublishField value={settings.publish ?? { kind: 'draft' }} onChange={(publish) => change({ publish })} />
        );
      case 'priority':
        return <PriorityField value={settings.priority ?? 'normal'} onChange={(priority) => change({ priority })} />;
      case 'duplicates':
        return (
          <DuplicatesSetting value={settings.duplicates ?? 'skip'} onChange={(duplicates) => change({ duplicates })} />
        );
      case 'sidecars':
        return <SidecarsSetting value={settings.sidecars ?? true} onChange={(sidecars) => change({ sidecars })} />;
      case 'details':
        return <DetailsField value={settings.details ?? true} onChange={(details) => change({ details })} />;
      case 'manifest':
        return <ManifestSetting value={settings.manifest ?? false} onChange={(manifest) => change({ manifest })} />;
      case 'source':
        return (
          <SourceSetting
            value={settings.source ?? { kind: 'keep' }}
            onChange={(source) => change({ source })}
            error={problem('no-folder')}
          />
        );
    }
  };
  return (
    <>
      <h2 className={styles.groupTitle}>{editor.settingsRule}</h2>
      <PresetMenu
        siteId={siteId}
        collectionId={presetPlaceOf(settings.collection ?? draft.rules.defaults.settings.collection)}
        values={presetOfSettings({ ...draft.rules.defaults.settings, ...settings })}
        onApply={(values) => change(settingsOfPreset(values))}
      />
      {own.map((key) => (
        <div key={key} className={styles.own} data-setting={key}>
          <div className={styles.ownField}>{field(key)}</div>
          <IconButton
            label={editor.dropSetting(NAMES[key])}
            small
            onPress={() => changeRules((rules) => dropOwn(rules, rule.id, key))}
          >
            <X size={14} />
          </IconButton>
        </div>
      ))}
      <div className={styles.addSetting}>
        {left.length === 0 ? null : (
          <ActionMenu
            label={editor.addSetting}
            groups={[
              {
                entries: left.map((key) => ({
                  id: key,
                  label: NAMES[key],
                  onAction: () => changeRules((rules) => addOwn(rules, rule.id, key)),
                })),
              },
            ]}
          >
            <Button icon={<Plus size={14} aria-hidden />}>{editor.addSetting}</Button>
          </ActionMenu>
        )}
        <span className={styles.hint}>{editor.settingsHint}</span>
      </div>
    </>
  );
}
