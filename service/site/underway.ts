const underwayAs = (status: 'uploading' | 'processing') =>
  `status IN ('uploading', 'processing') AND status = '${status}'`;

/**
 * The SQL conditions for files whose upload, and whose processing, is not complete. The first part is the condition of the index of the few
 * files under way: SQLite does not see that the second part alone implies it, and would read the whole table.
 */
export const IS_UPLOADING = underwayAs('uploading');
export const IS_PROCESSING = underwayAs('processing');
