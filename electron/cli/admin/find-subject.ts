import type { AccessSubject } from '../../../shared/contract/admin/access.ts';
import type { Engine } from '../../engine/engine.ts';
import { type OptionSpec, type OptionValues, optionText } from '../arguments/options.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { findNamed } from './find-named.ts';
import { findPerson } from './find-person.ts';

/** The options that name a user or a group; `readSubject` reads them. */
export const SUBJECT_OPTIONS = {
  person: { value: 'PERSON', help: 'The user: ID, e-mail address, unique ID or full name.' },
  group: { value: 'GROUP', help: 'The group: ID or name.' },
} as const satisfies Record<string, OptionSpec>;

/** A user or a group before it is looked up. */
export interface SubjectRef {
  kind: AccessSubject['kind'];
  ref: string;
}

/** Reads `SUBJECT_OPTIONS`; null when neither is given. Throws `UsageError` for both. */
export function readSubject(values: OptionValues): SubjectRef | null {
  const [person, group] = [optionText(values, 'person'), optionText(values, 'group')];
  if (person !== null && group !== null) throw new UsageError('Use either --person or --group.');
  if (person !== null) return { kind: 'user', ref: person };
  return group === null ? null : { kind: 'group', ref: group };
}

/** Returns the user or the group with its name. Throws as `findPerson` and `findNamed`. */
export async function findSubject(
  engine: Engine,
  siteId: string,
  { kind, ref }: SubjectRef,
): Promise<{ subject: AccessSubject; name: string }> {
  const found =
    kind === 'user'
      ? await findPerson(engine, siteId, ref)
      : findNamed(await engine.call('admin.groups', { siteId }), 'group', ref);
  return { subject: { kind, id: found.id }, name: found.name };
}
