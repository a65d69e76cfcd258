/** The notes after uploads were sent and some of them need a decision. */
export const DUPLICATES_HINT =
  'Some files are duplicates and need your decision. To see them, run “mediadesk duplicates list”.';
export const ITEMS_HINT =
  'Some files may already have an item and need your decision. To see the items, run “mediadesk items list”.';
