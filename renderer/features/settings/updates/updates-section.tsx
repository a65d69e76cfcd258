import { Download, RefreshCw, RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Updates } from '../../../../shared/contract/updates.ts';
import { Button } from '../../../kit/components/button.tsx';
import { Switch } from '../../../kit/components/forms/choice.tsx';
import { ConfirmDialog } from '../../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../../kit/components/status/empty-state.tsx';
import { ProgressBar } from '../../../kit/components/status/progress-bar.tsx';
import { SettingGroup, SettingRow } from '../setting.tsx';
import {
  checkForUpdates,
  downloadUpdate,
  installUpdate,
  loadUpdates,
  setUpdates,
  useUpdates,
} from '../state/updates-store.ts';
import { texts } from './texts.ts';
import styles from './updates.module.css';
import { busyReason, updateHint, updateTitle } from './updates-text.ts';

const ICON = { size: 14, 'aria-hidden': true } as const;

/** The version of the app, and updates: looking for them, downloading and installing them. */
export function UpdatesSection() {
  const updates = useUpdates((state) => state.updates);
  useEffect(() => void loadUpdates(), []);
  if (updates === null) return null;
  const { version, installer, isAutomatic, offer } = updates;
  return (
    <>
      <SettingGroup title={texts.title(version)}>
        <StateRow updates={updates} />
        {installer === 'nobody' ? null : (
          <SettingRow label={texts.automatic} hint={texts.automaticHint}>
            <Switch label={texts.automatic} isSelected={isAutomatic} onChange={(isOn) => void setUpdates(isOn)} />
          </SettingRow>
        )}
      </SettingGroup>
      {offer === null || offer.notes === '' ? null : (
        <SettingGroup title={texts.notes(offer.version)}>
          <p className={styles.notes} data-selectable data-testid="update-notes">
            {offer.notes}
          </p>
        </SettingGroup>
      )}
    </>
  );
}

function StateRow({ updates }: { updates: Updates }) {
  const { phase, problem, progress } = updates;
  const isDownloading = phase === 'downloading';
  return (
    <SettingRow
      label={
        <span role="status" data-testid="update-state" data-phase={phase}>
          {updateTitle(updates)}
        </span>
      }
      hint={updateHint(updates)}
      below={
        problem !== null ? (
          <InlineError error={problem} />
        ) : isDownloading ? (
          <ProgressBar label={texts.progress} value={Math.round((progress ?? 0) * 100)} />
        ) : undefined
      }
    >
      <Commands updates={updates} />
    </SettingRow>
  );
}

function Commands({ updates }: { updates: Updates }) {
  const { phase, offer, installer } = updates;
  if (installer === 'nobody' || phase === 'downloading' || phase === 'installing') return null;
  if (phase === 'ready' && offer !== null) return <RestartButton version={offer.version} updates={updates} />;
  const canDownload = installer === 'app' && offer !== null && phase !== 'checking';
  return (
    <>
      <Button icon={<RefreshCw {...ICON} />} isBusy={phase === 'checking'} onPress={() => void checkForUpdates()}>
        {texts.check}
      </Button>
      {canDownload ? (
        <Button variant="primary" icon={<Download {...ICON} />} onPress={() => void downloadUpdate()}>
          {texts.download}
        </Button>
      ) : null}
    </>
  );
}

function RestartButton({ version, updates }: { version: string; updates: Updates }) {
  const [isAsking, setAsking] = useState(false);
  const reason = busyReason(updates.running);
  return (
    <>
      <Button
        variant="primary"
        icon={<RotateCw {...ICON} />}
        {...(reason === null ? { onPress: () => setAsking(true) } : { reason })}
      >
        {texts.restart}
      </Button>
      <ConfirmDialog
        title={texts.question(version)}
        text={texts.questionText}
        keep={texts.keep}
        confirm={texts.confirm}
        variant="primary"
        isOpen={isAsking}
        onConfirm={() => void installUpdate()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
