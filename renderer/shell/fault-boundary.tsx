import { Copy, OctagonAlert, RotateCw } from 'lucide-react';
import { Component, type ErrorInfo, type ReactNode, useState } from 'react';
import { isoOf } from '../../shared/model/iso-instant.ts';
import { useApp } from '../features/common/state/app-store.ts';
import { attempt, notify } from '../features/common/state/messages-store.ts';
import { copyText } from '../kit/bridge/files-and-clipboard.ts';
import { Button, classes } from '../kit/components/button.tsx';
import { Dialog, FooterSpace } from '../kit/components/overlay/dialog.tsx';
import stateStyles from '../kit/components/status/empty-state.module.css';
import styles from './fault-boundary.module.css';
import { texts } from './texts.ts';

interface FaultBoundaryProps {
  /** The name of the view or dialog, as the window shows it. */
  name: string;
  /** A dialog has no place in the window: its fault is shown in a dialog. */
  kind: 'view' | 'pane' | 'dialog';
  children: ReactNode;
}

/** Shows a fault of a view, pane or dialog in its place, with a report to copy. The rest of the window stays usable. */
export function FaultBoundary({ name, kind, children }: FaultBoundaryProps) {
  const Fallback = FALLBACKS[kind];
  return <ErrorBoundary fallback={(fault) => <Fallback name={name} fault={fault} />}>{children}</ErrorBoundary>;
}

interface FaultProps {
  name: string;
  fault: RenderFault;
}

const FALLBACKS = { view: FaultView, pane: FaultState, dialog: FaultDialog };

function FaultView({ name, fault }: FaultProps) {
  return (
    <main className={styles.view}>
      <FaultState name={name} fault={fault} heading="h1" />
    </main>
  );
}

function FaultState({ name, fault, heading: Heading = 'h2' }: FaultProps & { heading?: 'h1' | 'h2' }) {
  const report = useReport(name, fault);
  return (
    <div className={classes(stateStyles.state, stateStyles.bad)} role="alert">
      <div className={stateStyles.icon}>
        <OctagonAlert size={24} strokeWidth={1.75} aria-hidden />
      </div>
      <Heading className={stateStyles.title}>{texts.fault.title(name)}</Heading>
      <p className={stateStyles.text}>{texts.fault.text}</p>
      <div className={stateStyles.actions}>
        <CopyReport report={report} />
        <Reload />
      </div>
      <Report report={report} />
    </div>
  );
}

function FaultDialog({ name, fault }: FaultProps) {
  const [isOpen, setIsOpen] = useState(true);
  const report = useReport(name, fault);
  return (
    <Dialog
      title={texts.fault.title(name)}
      isOpen={isOpen}
      onClose={() => setIsOpen(false)}
      role="alertdialog"
      footer={
        <>
          <CopyReport report={report} />
          <FooterSpace />
          <Reload />
        </>
      }
    >
      <p>{texts.fault.text}</p>
      <Report report={report} />
    </Dialog>
  );
}

function useReport(name: string, { error, components }: RenderFault): string {
  const version = useApp(({ info }) => info?.version ?? null);
  const [atMs] = useState(() => Date.now());
  return faultReport({ error, components, place: name, version, atMs });
}

function Report({ report }: { report: string }) {
  return (
    <details className={classes(stateStyles.details, styles.report)}>
      <summary>{texts.fault.report}</summary>
      <pre data-selectable>{report}</pre>
    </details>
  );
}

function CopyReport({ report }: { report: string }) {
  return (
    <Button
      icon={<Copy size={14} aria-hidden />}
      onPress={() =>
        void attempt(async () => {
          copyText(report);
          notify(texts.fault.copied);
        })
      }
    >
      {texts.fault.copy}
    </Button>
  );
}

/** Loads the page of the window again. The engine runs outside of the page, so uploads continue. */
function Reload() {
  return (
    <Button
      variant="primary"
      icon={<RotateCw size={14} aria-hidden />}
      autoFocus
      onPress={() => window.location.reload()}
    >
      {texts.fault.reload}
    </Button>
  );
}

interface FaultFacts extends RenderFault {
  /** The name of the view or dialog. */
  place: string;
  /** Of Mediadesk; null before the shell has reported it. */
  version: string | null;
  atMs: number;
}

/** Returns a fault of a view as text, to send to support. */
function faultReport({ error, components, place, version, atMs }: FaultFacts): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const message = String(error);
  const lines = [
    texts.fault.head(version ?? '', isoOf(atMs)),
    texts.fault.place(place),
    // The stack of most engines begins with the message.
    stack.startsWith(message) ? stack : `${message}\n${stack}`,
    components,
  ];
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** An error that a component threw while it was rendered. */
interface RenderFault {
  error: unknown;
  /** The components around the one that threw, the innermost first; empty until React reports it. */
  components: string;
}

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Replaces the children after a fault. */
  fallback: (fault: RenderFault) => ReactNode;
}

/** Keeps a fault of its children to itself: the rest of the window stays as it is. A new `key` shows the children again. */
class ErrorBoundary extends Component<ErrorBoundaryProps, { fault: RenderFault | null }> {
  override state: { fault: RenderFault | null } = { fault: null };

  static getDerivedStateFromError(error: unknown): { fault: RenderFault } {
    return { fault: { error, components: '' } };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    this.setState({ fault: { error, components: componentStack ?? '' } });
  }

  override render(): ReactNode {
    const { fault } = this.state;
    return fault === null ? this.props.children : this.props.fallback(fault);
  }
}
