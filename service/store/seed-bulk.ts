import type { Store } from './database.ts';
export function seedBulk(_store: Store, _items: number, _collections: number, _nowOn: number): void {}
