import { defineTexts } from '../../../../kit/text/define-texts.ts';
import { formatCount } from '../../../../kit/text/format.ts';

/** The texts about the roles of users and groups in a collection. */
export const texts = defineTexts({
  en: {
    title: (name: string) => `Users and groups of “${name}”`,
    loading: 'Loading…',
    close: 'Close',
    here: 'Roles in this collection',
    from: (name: string) => `Inherited from “${name}”`,
    changeThere: 'Change there',
    changeThereOf: (name: string) => `(“${name}”)`,
    you: '(you)',
    number: (id: string) => `ID ${id}`,
    group: ', a group',
    unnamed: 'A user without a name',
    none: {
      all: 'No user or group has a role here.',
      own: 'You have no role here.',
      unknown: 'The library shows no roles here.',
    },
    cut: 'This collection also inherits the roles of a collection that you can’t see.',
    visible: {
      own: 'You see only your own roles. To see everyone’s, ask an administrator for the permission to share this collection.',
      unknown: 'This list may be incomplete: the library doesn’t say whether you see all roles.',
    },
    inheritedVisible: {
      own: (name: string) =>
        `Of the roles inherited from “${name}” you see only your own: you may not share that collection. Others may have roles there that count here.`,
      unknown: (name: string) => `The library doesn’t say whether you see all roles inherited from “${name}”.`,
    },
    onlyAdministrators:
      'Only administrators can find other people and groups. You can change and remove the roles listed here.',
    role: (name: string) => `Role of ${name}`,
    newRole: 'Role to give',
    remove: (name: string) => `Remove the role of ${name}`,
    why: (name: string) => `What ${name} may do here, and why`,
    more: (count: number) => `and ${formatCount(count)} more. The command line lists all of them.`,
    who: 'Who has a permission here?',
    add: 'Give someone a role',
    inherit: 'Inherit the roles of the collection above',
    planned: 'Planned change',
    checking: 'Checking what it means for people…',
    unknownEffects: 'Only administrators see what this means for people.',
    view: 'See the library after it…',
    drop: 'Cancel',
    apply: 'Apply',
    willSet: (name: string, role: string) => `${name} gets the role “${role}” in this collection.`,
    willChange: (name: string, from: string, to: string) => `${name} gets the role “${to}” instead of “${from}”.`,
    willRemove: (name: string, role: string) => `${name} loses the role “${role}” in this collection.`,
    willInherit: 'The roles of the collection above will count here, too.',
    willKeep:
      'Stop inheriting. Everybody who has only inherited roles gets the nearest of them here first. The list below names everybody who still loses permissions.',
    willCut: 'Stop inheriting. Inherited roles will no longer count here.',
    keep: 'First give these people and groups their inherited role here',
  },
});
