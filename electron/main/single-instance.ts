import { app, type Event } from 'electron';

/** A start of the app while it runs already. */
interface SecondStart {
  /** Without the program. Any program of this user may have sent them. */
  args: readonly string[];
  workingDir: string;
}

export interface SingleInstance {
  /** Sets what happens when Mediadesk is started again. */
  onSecondStart(listener: (start: SecondStart) => void): void;
}

/** Makes this process the only one of its profile, or returns null when another one exists; that one handles this start. */
export function claimSingleInstance(): SingleInstance | null {
  if (!app.requestSingleInstanceLock()) return null;
  const early: SecondStart[] = [];
  let current: ((start: SecondStart) => void) | null = null;
  const handle = (start: SecondStart) => {
    if (current === null) early.push(start);
    else current(start);
  };
  app.on('second-instance', (_event, argv, workingDir) => handle({ args: argv.slice(1), workingDir }));
  // macOS reports files and links in this way, not as arguments.
  const opened = (event: Event, what: string) => {
    event.preventDefault();
    handle({ args: [what], workingDir: '/' });
  };
  app.on('open-file', opened);
  app.on('open-url', opened);
  return {
    onSecondStart(listener) {
      current = listener;
      for (const start of early.splice(0)) listener(start);
    },
  };
}
