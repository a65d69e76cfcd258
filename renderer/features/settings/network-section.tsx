import { FilePlus2, PlugZap, Trash2 } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { NetworkSettings, NetworkState, TrustedCertificate } from '../../../shared/contract/network.ts';
import { isPacAddress, PROXY_MODES, type ProxyMode, readProxyAddress } from '../../../shared/model/proxy-address.ts';
import { Button } from '../../kit/components/button.tsx';
import { TextField } from '../../kit/components/forms/field.tsx';
import { Select } from '../../kit/components/forms/select.tsx';
import { ConfirmDialog } from '../../kit/components/overlay/dialog.tsx';
import { ErrorState, InlineError } from '../../kit/components/status/empty-state.tsx';
import { toErrorData } from '../../kit/text/errors.ts';
import { formatDateTime } from '../../kit/text/format.ts';
import { currentSite, useApp } from '../common/state/app-store.ts';
import { attempt, notify } from '../common/state/messages-store.ts';
import styles from './network-section.module.css';
import { SettingGroup, SettingRow } from './setting.tsx';
import {
  importCertificates,
  loadNetwork,
  removeCertificate,
  saveNetwork,
  testConnection,
  useNetwork,
} from './state/network-store.ts';
import { texts as allTexts } from './texts.ts';

const texts = allTexts.network;

/** How Mediadesk reaches libraries: proxy, trusted authorities, and a test. Also shown before the first sign-in. */
export function NetworkSection() {
  const network = useNetwork((state) => state.network);
  const error = useNetwork((state) => state.error);
  useEffect(() => void loadNetwork(), []);
  if (network === null && error !== null) {
    return <ErrorState title={texts.notLoaded} error={error} onRetry={() => void loadNetwork()} />;
  }
  if (network === null) return <p>{texts.loading}</p>;
  return (
    <>
      <ProxyGroup network={network} />
      <CertificateGroup certificates={network.certificates} />
      <ConnectionGroup />
    </>
  );
}

const MODES = PROXY_MODES.map((value) => ({ value, label: texts.modes[value] }));

function ProxyGroup({ network }: { network: NetworkState }) {
  const [draft, setDraft] = useState<NetworkSettings>(network.settings);
  const [password, setPassword] = useState('');
  const [error, setError] = useState<AppErrorData | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const change = (patch: Partial<NetworkSettings>) => setDraft((before) => ({ ...before, ...patch }));
  const needsProxy = draft.proxyMode === 'manual';
  const isProxyWrong =
    (draft.proxy !== '' && readProxyAddress(draft.proxy) === null) || (needsProxy && draft.proxy.trim() === '');
  const isPacWrong = draft.proxyMode === 'pac' && !isPacAddress(draft.pacAddress);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setChecked(true);
    if (isProxyWrong || isPacWrong || isBusy) return;
    setBusy(true);
    setError(null);
    try {
      const isSignedIn = draft.proxyUser !== '';
      const secret = password === '' ? (isSignedIn ? {} : { password: null }) : { password };
      await saveNetwork({ patch: draft, ...secret });
      setPassword('');
      notify(texts.saved);
    } catch (thrown) {
      setError(toErrorData(thrown));
    } finally {
      setBusy(false);
    }
  };
  const { environmentProxy } = network;
  const hint = `${texts.modeHints[draft.proxyMode]}${
    draft.proxyMode === 'system' && environmentProxy !== null ? ` ${texts.fromEnvironment(environmentProxy)}` : ''
  }`;
  return (
    <SettingGroup title={texts.proxy} text={texts.proxyHint}>
      <SettingRow
        label={texts.mode}
        hint={hint}
        below={
          <form className={styles.form} aria-label={texts.proxy} onSubmit={(event) => void submit(event)} noValidate>
            {draft.proxyMode === 'pac' ? (
              <TextField
                label={texts.pacAddress}
                name="pac"
                placeholder={texts.pacExample}
                value={draft.pacAddress}
                onChange={(pacAddress) => change({ pacAddress: pacAddress.trim() })}
                error={isChecked && isPacWrong ? { message: texts.pacInvalid, nextStep: texts.pacInvalidHint } : null}
              />
            ) : null}
            {draft.proxyMode === 'none' ? null : (
              <ProxyFields
                draft={draft}
                hasPassword={network.hasPassword}
                isWrong={isChecked && isProxyWrong}
                password={password}
                setPassword={setPassword}
                change={change}
              />
            )}
            {error === null ? null : <InlineError error={error} />}
            <div className={styles.buttons}>
              <Button type="submit" variant="primary" isBusy={isBusy}>
                {texts.save}
              </Button>
            </div>
          </form>
        }
      >
        <Select
          bare
          label={texts.mode}
          value={draft.proxyMode}
          options={MODES}
          onChange={(proxyMode: ProxyMode) => change({ proxyMode })}
        />
      </SettingRow>
    </SettingGroup>
  );
}

interface ProxyFieldsProps {
  draft: NetworkSettings;
  hasPassword: boolean;
  isWrong: boolean;
  password: string;
  setPassword: (password: string) => void;
  change: (patch: Partial<NetworkSettings>) => void;
}

/** The proxy with its exceptions; in other modes the proxy that asks for a sign-in. */
function ProxyFields({ draft, hasPassword, isWrong, password, setPassword, change }: ProxyFieldsProps) {
  const isManual = draft.proxyMode === 'manual';
  return (
    <>
      <TextField
        label={isManual ? texts.address : texts.addressOfSignIn}
        name="proxy"
        placeholder={texts.addressExample}
        hint={isManual ? texts.addressHint : texts.addressOfSignInHint}
        value={draft.proxy}
        onChange={(proxy) => change({ proxy })}
        error={isWrong ? { message: texts.addressInvalid, nextStep: texts.addressInvalidHint } : null}
      />
      {isManual ? (
        <TextField
          label={texts.exceptions}
          name="exceptions"
          hint={texts.exceptionsHint}
          value={draft.proxyExceptions}
          onChange={(proxyExceptions) => change({ proxyExceptions })}
        />
      ) : null}
      {!isManual && draft.proxy === '' ? null : (
        <>
          <TextField
            label={texts.user}
            name="proxy-user"
            autoComplete="off"
            hint={texts.userHint}
            value={draft.proxyUser}
            onChange={(proxyUser) => change({ proxyUser })}
          />
          {draft.proxyUser === '' ? null : (
            <TextField
              label={texts.password}
              name="proxy-password"
              type="password"
              autoComplete="off"
              hint={hasPassword ? texts.passwordKept : texts.passwordHint}
              value={password}
              onChange={setPassword}
            />
          )}
        </>
      )}
    </>
  );
}

function CertificateGroup({ certificates }: { certificates: readonly TrustedCertificate[] }) {
  const [asked, setAsked] = useState<TrustedCertificate | null>(null);
  const [error, setError] = useState<AppErrorData | null>(null);
  const importFile = async () => {
    setError(null);
    try {
      if (await importCertificates()) notify(texts.imported);
    } catch (thrown) {
      setError(toErrorData(thrown));
    }
  };
  return (
    <SettingGroup title={texts.certificates} text={texts.certificatesHint}>
      {certificates.map((certificate) => (
        <SettingRow key={certificate.fingerprint} label={certificate.subject} hint={factsOf(certificate)}>
          <Button
            icon={<Trash2 size={14} aria-hidden />}
            aria-label={texts.removeOf(certificate.subject)}
            onPress={() => setAsked(certificate)}
          >
            {texts.remove}
          </Button>
        </SettingRow>
      ))}
      <SettingRow
        label={certificates.length === 0 ? texts.none : texts.another}
        below={error === null ? undefined : <InlineError error={error} />}
      >
        <Button icon={<FilePlus2 size={14} aria-hidden />} onPress={() => void importFile()}>
          {texts.importFile}
        </Button>
      </SettingRow>
      <ConfirmDialog
        title={texts.removeTitle(asked?.subject ?? '')}
        text={texts.removeText}
        confirm={texts.remove}
        isOpen={asked !== null}
        onConfirm={() =>
          void attempt(async () => {
            if (asked === null) return;
            await removeCertificate(asked.fingerprint);
            notify(texts.removed(asked.subject));
          })
        }
        onClose={() => setAsked(null)}
      />
    </SettingGroup>
  );
}

function factsOf({ expiresAt, fingerprint }: TrustedCertificate): string {
  const words = expiresAt <= Date.now() ? texts.expiredFacts : texts.facts;
  return words(formatDateTime(expiresAt), fingerprint);
}

function ConnectionGroup() {
  const { tested, isTesting } = useNetwork();
  const address = useApp(
    (state) => currentSite(state)?.baseUrl ?? state.sites[0]?.baseUrl ?? state.info?.presets.baseUrl ?? '',
  );
  const problem = tested?.problem ?? null;
  const works =
    tested === null || problem !== null ? null : tested.proxy === null ? texts.works : texts.worksThrough(tested.proxy);
  return (
    <SettingGroup title={texts.connection}>
      <SettingRow
        label={<span role="status">{isTesting ? texts.testing : (works ?? texts.test)}</span>}
        hint={address === '' ? texts.noAddress : texts.testHint(address)}
        below={problem === null ? undefined : <InlineError error={problem} />}
      >
        <Button
          icon={<PlugZap size={14} aria-hidden />}
          isBusy={isTesting}
          isDisabled={address === ''}
          onPress={() => void testConnection(address)}
        >
          {texts.test}
        </Button>
      </SettingRow>
    </SettingGroup>
  );
}
