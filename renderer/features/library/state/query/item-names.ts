import { create } from 'zustand';

/** Titles of items that searches refer to by id, such as the item in “related to”. */
const useNames = create<{ titles: ReadonlyMap<string, string> }>(() => ({ titles: new Map() }));

export function useItemNames(): ReadonlyMap<string, string> {
  return useNames((state) => state.titles);
}

export function noteItemName(id: string, title: string): void {
  useNames.setState(({ titles }) => ({ titles: new Map(titles).set(id, title) }));
}
