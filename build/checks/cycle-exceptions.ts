// Imports that may close a cycle until the files on both sides are rearranged. Each is temporary.

export interface CycleException {
  from: string;
  to: string;
  reason: string;
}

export const CYCLE_EXCEPTIONS: readonly CycleException[] = [
  {
    from: 'electron/engine/uploads/clean-up/clean-ups.ts',
    to: 'electron/engine/uploads/delivery/upload-runner.ts',
    reason: 'until clean-ups are jobs of one scheduler',
  },
  {
    from: 'electron/engine/uploads/delivery/completion-step.ts',
    to: 'electron/engine/uploads/delivery/upload-steps.ts',
    reason: 'until the tools of a step have a file of their own',
  },
  {
    from: 'electron/engine/uploads/delivery/items/item-lookup.ts',
    to: 'electron/engine/uploads/delivery/upload-steps.ts',
    reason: 'until the tools of a step have a file of their own',
  },
  {
    from: 'electron/engine/uploads/follow-ups/settle-source.ts',
    to: 'electron/engine/uploads/follow-ups/follow-up-steps.ts',
    reason: 'until the tools of a follow-up have a file of their own',
  },
];
