import type { Uploads } from '../../electron/engine/uploads/uploads.ts';
import type { ScenarioEvent } from './scenario.ts';

interface UndoableCommand {
  undo: 'uploads.undoCancel' | 'uploads.undoClear';
  run(): Promise<{ undoId: string | null }>;
  /** Whether the command is undone. */
  isUndone: boolean;
}

/** Returns the command of an event that can be undone; null for other events. `id`: the upload that the event concerns. */
export function undoableCommand(
  { handlers }: Uploads,
  { kind }: ScenarioEvent,
  id: string | null,
): UndoableCommand | null {
  switch (kind) {
    case 'cancel-waiting':
    case 'cancel-and-undo':
      return id === null
        ? null
        : {
            undo: 'uploads.undoCancel',
            run: () => handlers['uploads.cancelUnsent']({ kind: 'ids', ids: [id] }),
            isUndone: kind === 'cancel-and-undo',
          };
    case 'clear-completed':
    case 'clear-ended':
    case 'clear-and-undo': {
      const what = kind === 'clear-ended' ? 'ended' : 'completed';
      return {
        undo: 'uploads.undoClear',
        run: () => handlers['uploads.clear']({ selection: { kind: 'all' }, what }),
        isUndone: kind === 'clear-and-undo',
      };
    }
    default:
      return null;
  }
}
