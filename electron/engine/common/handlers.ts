import type { CallOutput, EngineCallName, HandledInput } from '../../../shared/contract/contract.ts';

/** One function for each call of the contract. Each throws `AppError`. */
export type Handlers = {
  [N in EngineCallName]: (input: HandledInput<N>) => Promise<CallOutput<N>>;
};
