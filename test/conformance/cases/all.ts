import { controlCases } from '../control/control-cases.ts';
import type { Case } from '../suite/case.ts';
import { SECTION_IDS } from '../suite/sections.ts';
import { administratorCases } from './administrators.ts';
import { authorizationCases, browserFlowCases, nativeFlowCases } from './authorization.ts';
import { collectionChangeCases } from './collection-changes.ts';
import { collectionFieldCases } from './collection-fields.ts';
import { collectionCases } from './collections.ts';
import { conventionCases } from './conventions.ts';
import { errorCases, limitCases, versioningCases } from './errors.ts';
import { fileFieldCases } from './file-fields.ts';
import { fileCases } from './files.ts';
import { groupAndTagCases } from './groups-tags.ts';
import { listEnvelopeCases } from './list-envelope.ts';
import { mediaCases } from './media.ts';
import { mediaFieldCases } from './media-fields.ts';
import { mediaListCases } from './media-list.ts';
import { peopleFieldCases } from './people-fields.ts';
import { permissionCases } from './permissions.ts';
import { roleAndMembershipCases } from './roles-memberships.ts';
import { stateCases } from './states.ts';
import { thumbnailCases } from './thumbnails.ts';
import { tokenCases } from './tokens.ts';
import { treeCases } from './tree.ts';
import { userCases } from './users.ts';

const UNSORTED: Case[] = [
  ...conventionCases,
  ...listEnvelopeCases,
  ...collectionFieldCases,
  ...mediaFieldCases,
  ...fileFieldCases,
  ...peopleFieldCases,
  ...permissionCases,
  ...stateCases,
  ...collectionCases,
  ...treeCases,
  ...collectionChangeCases,
  ...mediaListCases,
  ...mediaCases,
  ...fileCases,
  ...thumbnailCases,
  ...userCases,
  ...groupAndTagCases,
  ...roleAndMembershipCases,
  ...administratorCases,
  ...authorizationCases,
  ...nativeFlowCases,
  ...browserFlowCases,
  ...tokenCases,
  ...errorCases,
  ...limitCases,
  ...versioningCases,
  ...controlCases,
];

/** Every case, section by section in the order of the API document. Throws when two cases have the same id. */
export const ALL_CASES: readonly Case[] = SECTION_IDS.flatMap((section) =>
  UNSORTED.filter((each) => each.section === section),
);

const ids = ALL_CASES.map(({ id }) => id);
const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
if (twice.length > 0) throw new Error(`Cases with the same id: ${twice.join(', ')}`);
