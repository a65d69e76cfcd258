import { Gauge } from 'lucide-react';
import { useEffect } from 'react';
import type { Settings } from '../../../shared/contract/settings.ts';
import type { DiskMode } from '../../../shared/model/disk-modes.ts';
import { Switch } from '../../kit/components/forms/choice.tsx';
import { LimitField } from '../../kit/components/forms/limit-field.tsx';
import { NumberStepper } from '../../kit/components/forms/number-stepper.tsx';
import { Select } from '../../kit/components/forms/select.tsx';
import { ErrorState } from '../../kit/components/status/empty-state.tsx';
import { limitNowWords } from '../../kit/text/upload-text.ts';
import { changeSettings, loadSettings, useSettings } from '../common/state/settings-store.ts';
import { useUploads } from '../uploads/state/uploads-store.ts';
import { SettingGroup, SettingRow } from './setting.tsx';
import styles from './settings-view.module.css';
import { texts } from './texts.ts';
import { TimetableEditor } from './timetable/timetable-editor.tsx';
import { WeekChart } from './timetable/week-chart.tsx';

/** The settings of the queue: parallel transfers, order, speed limits. */
export function UploadsSection() {
  const settings = useSettings((state) => state.settings);
  const error = useSettings((state) => state.error);
  useEffect(() => void loadSettings(), []);
  if (settings === null && error !== null) {
    return <ErrorState title={texts.uploads.notLoaded} error={error} onRetry={() => void loadSettings()} />;
  }
  if (settings === null) return <p>{texts.uploads.loading}</p>;
  return (
    <>
      <OrderGroup settings={settings} />
      <SpeedGroup settings={settings} />
    </>
  );
}

const DISK_MODES: readonly { value: DiskMode; label: string }[] = [
  { value: 'auto', label: texts.uploads.diskModes.auto },
  { value: 'serial', label: texts.uploads.diskModes.serial },
  { value: 'parallel', label: texts.uploads.diskModes.parallel },
];

const DISK_HINTS: Readonly<Record<DiskMode, string>> = texts.uploads.diskHints;

function OrderGroup({ settings }: { settings: Settings }) {
  return (
    <SettingGroup title={texts.uploads.order}>
      <SettingRow label={texts.uploads.parallel} hint={texts.uploads.parallelHint}>
        <NumberStepper
          label={texts.uploads.parallel}
          value={settings.parallelTransfers}
          min={1}
          max={16}
          onChange={(parallelTransfers) => void changeSettings({ parallelTransfers })}
        />
      </SettingRow>
      <SettingRow label={texts.uploads.smallFirst} hint={texts.uploads.smallFirstHint}>
        <Switch
          label={texts.uploads.smallFirst}
          isSelected={settings.smallFirst}
          onChange={(smallFirst) => void changeSettings({ smallFirst })}
        />
      </SettingRow>
      <SettingRow label={texts.uploads.disk} hint={DISK_HINTS[settings.diskMode]}>
        <Select
          bare
          label={texts.uploads.disk}
          value={settings.diskMode}
          options={DISK_MODES}
          onChange={(diskMode) => void changeSettings({ diskMode })}
        />
      </SettingRow>
    </SettingGroup>
  );
}

function SpeedGroup({ settings }: { settings: Settings }) {
  const totals = useUploads((state) => state.totals);
  return (
    <SettingGroup title={texts.uploads.speed} text={texts.uploads.speedHint}>
      <SettingRow label={texts.uploads.limit} hint={texts.uploads.limitHint}>
        <LimitField
          label={texts.uploads.limit}
          value={settings.limitBytesPerSecond}
          onChange={(limitBytesPerSecond) => void changeSettings({ limitBytesPerSecond })}
        />
      </SettingRow>
      <SettingRow
        label={texts.uploads.timetable}
        hint={texts.uploads.timetableHint}
        below={
          <div className={styles.timetable}>
            <TimetableEditor
              timetable={settings.timetable}
              onChange={(timetable) => void changeSettings({ timetable })}
            />
            {settings.timetable.length === 0 ? null : (
              <WeekChart timetable={settings.timetable} usual={settings.limitBytesPerSecond} />
            )}
          </div>
        }
      />
      {totals === null ? null : (
        <div className={styles.inForce} role="status" data-testid="limit-now">
          <Gauge size={15} color="var(--accent-text)" aria-hidden />
          <span>
            {texts.uploads.limitNow}
            <strong>{limitNowWords(totals, Date.now())}</strong>
          </span>
        </div>
      )}
    </SettingGroup>
  );
}
