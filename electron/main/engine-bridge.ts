import type {
  CallName,
  EngineCallName,
  EngineEventName,
  EventData,
  EventName,
  ShellCallName,
} from '../../shared/contract/contract.ts';
import type { Engine } from '../engine/engine.ts';
import type { CallHandler } from './answer-call.ts';
import type { ChosenPaths } from './chosen-paths.ts';
import type { ShellCalls } from './shell-calls.ts';

function isShellCall(name: CallName): name is ShellCallName {
  return name.startsWith('shell.');
}

/**
 * Routes each call: this process answers `shell.*`, the engine everything else as soon as it has started. Files are written only
 * where a dialog of this process let the user choose it.
 */
export function routeCalls(engine: Promise<Engine>, shellCalls: ShellCalls, chosen: ChosenPaths): CallHandler {
  const handle = async (name: CallName, input: never): Promise<unknown> => {
    if (isShellCall(name)) return shellCalls[name](input);
    chosen.use(name, input);
    return (await engine).call(name as EngineCallName, input);
  };
  // The compiler cannot see that a name and its input belong together; `answerCall` has checked it.
  return handle as CallHandler;
}

/** All events of the engine. As a record it fails to compile when an event of the contract is missing. */
const ENGINE_EVENTS: Record<EngineEventName, true> = {
  onDidChangeSites: true,
  onDidChangeSignIn: true,
  onDidChangeLibrary: true,
  onDidChangeSync: true,
  onDidProgressDeletion: true,
  onDidChangeUploads: true,
  onDidChangeSettings: true,
  onDidChangeStore: true,
  onDidChangeWatch: true,
  onDidChangeDownloads: true,
  onDidChangeEdits: true,
  onDidProgressEditPlan: true,
  onDidChangeDirectory: true,
  onDidLoseRights: true,
  onDidChangeTags: true,
  onDidProgressTagMerge: true,
};

/** Forwards every event of the engine to the screen. */
export function announceEngineEvents(
  engine: Engine,
  announce: <N extends EventName>(name: N, data: EventData<N>) => void,
): void {
  const pass = <N extends EngineEventName>(name: N) => engine.on(name, (data) => announce(name, data));
  for (const name of Object.keys(ENGINE_EVENTS) as EngineEventName[]) pass(name);
}
