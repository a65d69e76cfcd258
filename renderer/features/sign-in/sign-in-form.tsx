import { Copy, LoaderCircle } from 'lucide-react';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import { call } from '../../kit/bridge/bridge.ts';
import { Button } from '../../kit/components/button.tsx';
import { fieldStyles, TextField } from '../../kit/components/forms/field.tsx';
import { InlineError } from '../../kit/components/status/empty-state.tsx';
import { isOwnChoice, signInFieldOf, toErrorData } from '../../kit/text/errors.ts';
import { openPanel, showAccount, takeSites, useApp } from '../common/state/app-store.ts';
import { announce } from '../common/state/messages-store.ts';
import { completeAddress } from './address.ts';
import styles from './sign-in-view.module.css';
import { texts } from './texts.ts';

/** In a window of Mediadesk, in the browser of this computer, or in a browser anywhere, whose last page shows a code. */
type SignInWay = 'embedded' | 'system' | 'paste';

interface SignInFormProps {
  baseUrl: string;
  clientId: string;
  /** Whether the address is fixed: it belongs to an account whose sign-in the library no longer accepts. */
  isFixed?: boolean;
}

/** Address, client id and the sign-in button. The engine runs one sign-in at a time and reports its phase. */
export function SignInForm({ baseUrl: initialUrl, clientId: initialClient, isFixed = false }: SignInFormProps) {
  const [baseUrl, setBaseUrl] = useState(initialUrl);
  const [clientId, setClientId] = useState(initialClient);
  const [busy, setBusy] = useState<SignInWay | null>(null);
  const isBusy = busy !== null;
  const [error, setError] = useState<AppErrorData | null>(null);

  const problem = (code: string, message: string, nextStep: string) =>
    setError({ code, message, nextStep, details: null });

  // The buttons are replaced during a sign-in. Afterwards, the field with the problem gets the focus, otherwise the button.
  const [hasTried, setHasTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const field = error === null ? null : signInFieldOf(error.code);
  useEffect(() => {
    if (!isBusy && field !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [isBusy, field]);

  const signIn = async (way: SignInWay) => {
    if (isBusy) return;
    if (baseUrl.trim() === '') {
      problem('site.address-invalid', texts.form.addressMissing, texts.form.addressMissingHint);
      return;
    }
    if (clientId.trim() === '') {
      problem('sign-in.failed', texts.form.clientIdMissing, texts.form.clientIdMissingHint);
      return;
    }
    setError(null);
    setHasTried(true);
    setBusy(way);
    try {
      const site = await call('sites.signIn', {
        baseUrl: completeAddress(baseUrl),
        clientId: clientId.trim(),
        ...(way === 'paste' ? { browser: 'embedded', redirect: 'paste' } : { browser: way }),
      });
      takeSites(await call('sites.list', null));
      showAccount(site.id);
      openPanel(null);
      announce(texts.form.signedIn(site.displayName));
    } catch (thrown) {
      const data = toErrorData(thrown);
      setError(data);
      announce(`${data.message} ${data.nextStep ?? ''}`);
    } finally {
      setBusy(null);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy === 'paste') useCode.current();
    else void signIn('embedded');
  };
  const useCode = useRef<() => void>(() => undefined);
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate aria-label={texts.form.label}>
      <TextField
        large
        label={texts.form.address}
        name="baseUrl"
        placeholder={texts.form.addressExample}
        autoComplete="off"
        spellCheck="false"
        autoFocus={initialUrl === ''}
        value={baseUrl}
        onChange={(value) => {
          setBaseUrl(value);
          if (field === 'baseUrl') setError(null);
        }}
        isDisabled={isBusy || isFixed}
        error={field === 'baseUrl' ? error : null}
      />
      <TextField
        large
        label={texts.form.clientId}
        name="clientId"
        autoComplete="off"
        spellCheck="false"
        value={clientId}
        onChange={(value) => {
          setClientId(value);
          if (field === 'clientId') setError(null);
        }}
        isDisabled={isBusy || isFixed}
        hint={texts.form.clientIdHint}
        error={field === 'clientId' ? error : null}
      />
      {field === 'form' && error !== null ? <InlineError error={error} isNotice={isOwnChoice(error.code)} /> : null}
      {isBusy ? (
        <SignInProgress way={busy} useCode={useCode} />
      ) : (
        <div className={styles.actions}>
          <Button type="submit" variant="primary" large autoFocus={initialUrl !== '' || hasTried}>
            {texts.form.signIn}
          </Button>
          <span className={styles.alternative}>
            <Button variant="link" onPress={() => void signIn('system')}>
              {texts.form.useBrowser}
            </Button>
            <Button variant="link" onPress={() => void signIn('paste')}>
              {texts.form.paste}
            </Button>
          </span>
        </div>
      )}
    </form>
  );
}

const PHASES = {
  start: texts.progress.checking,
  checking: texts.progress.checking,
  'waiting-for-browser': texts.progress.waiting,
  exchanging: texts.progress.exchanging,
};

function SignInProgress({ way, useCode }: { way: SignInWay; useCode: RefObject<() => void> }) {
  const { phase, openUrl } = useApp((state) => state.signIn);
  const [isCancelling, setCancelling] = useState(false);
  const { title, text } = PHASES[phase ?? 'start'];
  const cancel = () => {
    setCancelling(true);
    void call('sites.cancelSignIn', null).catch(() => setCancelling(false));
  };
  const shownUrl = way !== 'embedded' && phase === 'waiting-for-browser' ? openUrl : null;
  const hint = way === 'paste' ? texts.progress.elsewhere : texts.progress.inBrowser;
  return (
    <div className={styles.progress}>
      <div className={styles.phase} role="status">
        <LoaderCircle size={16} aria-hidden />
        <div>
          <strong>{title}</strong>
          <span>{shownUrl === null ? text : hint}</span>
        </div>
      </div>
      {shownUrl === null ? null : <CopyAddress url={shownUrl} />}
      {shownUrl !== null && way === 'paste' ? <PasteCode useCode={useCode} /> : null}
      <Button autoFocus onPress={cancel} isBusy={isCancelling}>
        {isCancelling ? texts.progress.cancelling : texts.progress.cancel}
      </Button>
    </div>
  );
}

/** The field for the code of the page. A text without a code is reported at the field, and the sign-in continues to wait. */
function PasteCode({ useCode }: { useCode: RefObject<() => void> }) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<AppErrorData | null>(null);
  // Enter in the field submits the form around it.
  useEffect(() => {
    useCode.current = () => {
      if (code.trim() === '') return;
      setError(null);
      void call('sites.pasteCode', { text: code }).catch((thrown: unknown) => setError(toErrorData(thrown)));
    };
  }, [code, useCode]);
  return (
    <div className={styles.paste}>
      <TextField
        label={texts.progress.code}
        name="code"
        autoComplete="off"
        spellCheck="false"
        value={code}
        onChange={setCode}
        error={error}
      />
      <Button type="submit" variant="primary">
        {texts.progress.useCode}
      </Button>
    </div>
  );
}

function CopyAddress({ url }: { url: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    input.current?.select();
    // The asynchronous clipboard API needs a permission that the shell denies; copying a selection does not.
    setCopied(document.execCommand('copy'));
  };
  return (
    <div className={styles.copy}>
      <input
        ref={input}
        className={fieldStyles.input}
        aria-label={texts.progress.openAddress}
        readOnly
        value={url}
        onFocus={(event) => event.target.select()}
      />
      <Button icon={<Copy size={14} aria-hidden />} onPress={copy}>
        {isCopied ? texts.progress.copied : texts.progress.copy}
      </Button>
    </div>
  );
}
