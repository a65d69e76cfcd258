import { Gauge } from 'lucide-react';
import { useEffect } from 'react';
import type { Settings } from '../../../shared/contract/settings.ts';
import type { DiskMode } from '../../../shared/model/disk-modes.ts';
import { LimitField } from '../../components/forms/limit-field.tsx';
import { NumberStepper } from '../../components/forms/number-stepper.tsx';
import { Select } from '../../components/forms/select.tsx';
import { Switch } from '../../components/forms/switch.tsx';
import { ErrorState } from '../../components/status/empty-state.tsx';
import { changeSettings, loadSettings, useSettings } from '../../stores/app/settings-store.ts';
import { useUploads } from '../../stores/uploads/uploads-store.ts';
import { limitNowWords } from '../../text/upload-text.ts';
import { SettingGroup, SettingRow } from './setting.tsx';
import styles from './settings-view.module.css';
import { TimetableEditor } from './timetable/timetable-editor.tsx';
import { WeekChart } from './timetable/week-chart.tsx';

/** The settings of the queue: parallel transfers, order, speed limits. */
export function UploadsSection() {
  const settings = useSettings((state) => state.settings);
  const error = useSettings((state) => state.error);
  useEffect(() => void loadSettings(), []);
  if (settings === null && error !== null) {
    return <ErrorState title="The settings could not be read" error={error} onRetry={() => void loadSettings()} />;
  }
  if (settings === null) return <p>Reading the settings…</p>;
  return (
    <>
      <OrderGroup settings={settings} />
      <SpeedGroup settings={settings} />
    </>
  );
}

const DISK_MODES: readonly { value: DiskMode; label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'serial', label: 'One file at a time' },
  { value: 'parallel', label: 'Several at a time' },
];

const DISK_HINTS: Readonly<Record<DiskMode, string>> = {
  auto: 'One file at a time from disks that rotate, because jumping between files slows them down; several from all others.',
  serial: 'Files that lie on one disk are read one after the other, whatever kind of disk it is.',
  parallel: 'Every disk is read by as many transfers as there are.',
};

function OrderGroup({ settings }: { settings: Settings }) {
  return (
    <SettingGroup title="Transfers and order">
      <SettingRow
        label="Transfers at a time"
        hint="More help with many small files, fewer with a slow line. Mediadesk runs fewer by itself where a file would otherwise miss the library’s time limit."
      >
        <NumberStepper
          label="Transfers at a time"
          value={settings.parallelTransfers}
          min={1}
          max={16}
          onChange={(parallelTransfers) => void changeSettings({ parallelTransfers })}
        />
      </SettingRow>
      <SettingRow
        label="Small files first"
        hint="Inside each priority the smallest file goes first. Switching it orders anew what is not sent."
      >
        <Switch
          label="Small files first"
          isSelected={settings.smallFirst}
          onChange={(smallFirst) => void changeSettings({ smallFirst })}
        />
      </SettingRow>
      <SettingRow label="Reading from disks" hint={DISK_HINTS[settings.diskMode]}>
        <Select
          bare
          label="Reading from disks"
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
    <SettingGroup
      title="Speed"
      text="For all transfers of this computer together. It is in force as soon as you change it."
    >
      <SettingRow label="Speed limit" hint="Around the clock, except at the times below.">
        <LimitField
          label="Speed limit"
          value={settings.limitBytesPerSecond}
          onChange={(limitBytesPerSecond) => void changeSettings({ limitBytesPerSecond })}
        />
      </SettingRow>
      <SettingRow
        label="Timetable"
        hint="Weekly times with a limit of their own, in this computer’s time zone. A time may run past midnight."
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
            In force now: <strong>{limitNowWords(totals, Date.now())}</strong>
          </span>
        </div>
      )}
    </SettingGroup>
  );
}
