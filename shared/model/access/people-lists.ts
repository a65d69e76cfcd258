/** Which users a list of users contains. */
export const PEOPLE_FACETS = ['all', 'administrators', 'no-group', 'never-signed-in', 'other-sign-on'] as const;
export type PeopleFacet = (typeof PEOPLE_FACETS)[number];

export const PEOPLE_SORTS = ['name', 'email', 'lastLogin', 'created'] as const;
export type PeopleSort = (typeof PEOPLE_SORTS)[number];
