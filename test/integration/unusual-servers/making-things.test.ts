import { expectCases } from './expect-cases.ts';

expectCases([
  'creation',
  'placeholder',
  'titles',
  'lists',
  'errors',
  'processing',
  'publication',
  'follow-ups',
  'deletes',
]);
