import { CEPH } from './ceph.ts';
import { PHP } from './php.ts';
import type { StoreKind } from './store.ts';
import { SWIFT } from './swift.ts';
import { WERKZEUG } from './werkzeug.ts';

/** Stores and form receivers that were written elsewhere, from Debian. */
export const STORES: readonly StoreKind[] = [CEPH, SWIFT, PHP, WERKZEUG];
