import { useEffect } from 'react';
import { I18nProvider } from 'react-aria-components';
import { startApp, useApp } from './features/common/state/app-store.ts';
import { SignInView } from './features/sign-in/sign-in-view.tsx';
import { GlyphSheet } from './kit/components/glyph.tsx';
import { useFocusGuard } from './kit/components/overlay/use-focus-guard.ts';
import { ErrorState } from './kit/components/status/empty-state.tsx';
import { texts } from './kit/text/texts.ts';
import { AboutDialog } from './shell/dialogs/help-dialogs.tsx';
import { NetworkDialog, UpdatesDialog } from './shell/dialogs/settings-dialogs.tsx';
import { FaultBoundary } from './shell/fault-boundary.tsx';
import { LiveRegion } from './shell/live-region.tsx';
import { MainWindow } from './shell/main-window.tsx';
import { texts as frameTexts } from './shell/texts.ts';
import { startScreens } from './subscriptions.ts';

/** The locale of the components: dates begin with the day, as everywhere in the app. */
const LOCALE = 'en-GB';

export function App() {
  useEffect(startScreens, []);
  useFocusGuard();
  return (
    <I18nProvider locale={LOCALE}>
      <GlyphSheet />
      <FaultBoundary name={frameTexts.fault.window} kind="view">
        <Screen />
      </FaultBoundary>
      <FaultBoundary name={frameTexts.about.title} kind="dialog">
        <AboutDialog />
      </FaultBoundary>
      <FaultBoundary name={frameTexts.panels.network} kind="dialog">
        <NetworkDialog />
      </FaultBoundary>
      <FaultBoundary name={frameTexts.panels.updates} kind="dialog">
        <UpdatesDialog />
      </FaultBoundary>
      <FaultBoundary name={frameTexts.messages} kind="pane">
        <LiveRegion />
      </FaultBoundary>
    </I18nProvider>
  );
}

function Screen() {
  const start = useApp((state) => state.start);
  const isOpen = useApp((state) => state.siteId !== null);
  const isReady = start !== 'loading';
  // Tests and the demo wait for this attribute: it is set when the window shows the loaded state.
  useEffect(() => {
    if (isReady) document.documentElement.dataset.ready = 'true';
  }, [isReady]);
  if (start === 'loading') return null;
  if (typeof start === 'object') {
    return <ErrorState title={texts.notStarted} error={start.error} onRetry={() => void startApp()} />;
  }
  return isOpen ? <MainWindow /> : <SignInView />;
}
