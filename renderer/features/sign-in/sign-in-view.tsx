import type { Site } from '../../../shared/contract/sites.ts';
import { Button } from '../../kit/components/button.tsx';
import { BrandMark } from '../../kit/components/glyph.tsx';
import { Dialog } from '../../kit/components/overlay/dialog.tsx';
import { InlineError } from '../../kit/components/status/empty-state.tsx';
import { currentSite, openPanel, siteOf, useApp } from '../common/state/app-store.ts';
import { SignInForm } from './sign-in-form.tsx';
import styles from './sign-in-view.module.css';
import { texts } from './texts.ts';
import waveformStyles from './waveform.module.css';

/** The page before the first sign-in. */
export function SignInView() {
  const info = useApp((state) => state.info);
  const known = useApp((state) => state.sites[0] ?? null);
  const problem = info?.keychain.problem ?? null;
  return (
    <div className={styles.page}>
      <aside className={styles.aside}>
        <div className={styles.brand}>
          <BrandMark size={26} />
          {texts.product}
        </div>
        <div className={styles.wave}>
          <Waveform />
        </div>
        <div>
          <p className={styles.claim}>{texts.claim}</p>
          <p className={styles.sub}>{texts.claimHint}</p>
        </div>
      </aside>
      <main className={styles.main}>
        <div className={styles.form}>
          <div>
            <h1 className={styles.heading}>{texts.heading}</h1>
            <p className={styles.lead}>{texts.lead}</p>
          </div>
          {problem === null ? null : <InlineError error={problem} isNotice />}
          <SignInForm
            baseUrl={known?.baseUrl ?? info?.presets.baseUrl ?? ''}
            clientId={known?.clientId ?? info?.presets.clientId ?? ''}
          />
          <div>
            <Button variant="link" onPress={() => openPanel('network')}>
              {texts.network}
            </Button>
          </div>
          {info?.keychain.kind === 'system' && problem === null ? <p className={styles.foot}>{texts.stored}</p> : null}
        </div>
      </main>
    </div>
  );
}

/** The sign-in form above the main window: for an account that has to sign in again, or for another account. */
export function SignInDialog() {
  const panel = useApp((state) => state.panel);
  const site = useApp((state) => (state.panel === 'sign-in' ? siteOf(state, state.signInTo) : currentSite(state)));
  const isAgain = panel === 'sign-in' && site !== null && site.state !== 'signed-in';
  const isOpen = panel === 'sign-in' || panel === 'another-account';
  return (
    <Dialog
      title={isAgain ? texts.againTitle(site.displayName) : texts.anotherTitle}
      isOpen={isOpen}
      onClose={() => openPanel(null)}
    >
      <p className={styles.lead}>{isAgain ? againWords(site) : texts.anotherLead}</p>
      <SignInForm baseUrl={site?.baseUrl ?? ''} clientId={site?.clientId ?? ''} isFixed={isAgain} />
    </Dialog>
  );
}

/** Returns the reason why an account needs a sign-in, and its user name: signing in as another user adds another account. */
function againWords({ state, accountName }: Site): string {
  return texts.again(state !== 'needs-sign-in', accountName);
}

const COUNT = 72;

/** Bar heights of an invented recording. */
const HEIGHTS = Array.from({ length: COUNT }, (_, index) => {
  const swell = Math.sin(index / 7.5) * 0.5 + Math.sin(index / 19 + 1) * 0.5;
  const syllable = Math.abs(Math.sin(index * 1.7) * Math.cos(index * 0.61));
  return 5 + Math.abs(swell) * 62 * (0.35 + syllable * 0.65) + syllable * 22;
});

/** The picture of the sign-in page: a waveform with the played part in the accent color. */
function Waveform() {
  return (
    <svg className={waveformStyles.wave} viewBox={`0 0 ${COUNT * 9} 200`} aria-hidden="true" role="presentation">
      {HEIGHTS.map((height, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars never change their order
          key={index}
          className={index < 31 ? waveformStyles.played : waveformStyles.coming}
          x={index * 9}
          y={100 - height}
          width={4}
          height={height * 2}
          rx={2}
        />
      ))}
      <rect className={waveformStyles.head} x={30.5 * 9 + 2} y={8} width={1.5} height={184} rx={0.75} />
      <circle className={waveformStyles.head} cx={30.5 * 9 + 2.75} cy={8} r={4} />
    </svg>
  );
}
