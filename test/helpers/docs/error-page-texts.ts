// The texts of docs/errors.md that are not in the error catalog: the introductions of its sections, and more about some errors.
import type { ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';

/** The sections of the page, in order, with the first parts of the codes that belong to each. */
export const ERROR_GROUPS: readonly { title: string; about: string; prefixes: readonly string[] }[] = [
  {
    title: 'Signing in',
    about: 'You need the address of the library and a client ID. Your administrator knows both.',
    prefixes: ['site', 'sign-in', 'sign-out'],
  },
  {
    title: 'Keychain',
    about:
      'Mediadesk stores your sign-in in the keychain of the operating system. Without it, you’d have to sign in at every start. On the command line, `--keychain file` stores it in a file that a passphrase protects.',
    prefixes: ['keychain'],
  },
  {
    title: 'Connection',
    about: 'Problems between this computer and the library. Uploads wait and lose nothing.',
    prefixes: ['network'],
  },
  {
    title: 'Responses of the library',
    about: 'Mediadesk reached the library, which refused a request or couldn’t process it.',
    prefixes: ['api'],
  },
  {
    title: 'Collections',
    about:
      'Problems with the collection that you chose for uploads, for example with `--collection Physics`, or with one that you open or change.',
    prefixes: ['collection'],
  },
  {
    title: 'The copy of a library on this computer',
    about:
      'Mediadesk keeps a copy of the texts of your library, so that lists and searches are fast and work offline. The library itself is never affected.',
    prefixes: ['library'],
  },
  {
    title: 'Edits',
    about:
      'Edits are stored on this computer first and sent in the background. An edit that needs you holds back only later edits of the same item.',
    prefixes: ['edit'],
  },
  {
    title: 'Spreadsheets',
    about:
      'Problems with a file that you import or export. They name the row and the column where they can. Nothing is changed before you confirm the preview. See [Spreadsheets](spreadsheets.md).',
    prefixes: ['table', 'manifest'],
  },
  {
    title: 'Files on this computer',
    about: 'Mediadesk can’t read a file, skips it, or waits for it.',
    prefixes: ['file', 'details'],
  },
  {
    title: 'Files of an item',
    about:
      'Problems with playing, showing, downloading or changing the files of an item. The server that stores the files is often a different computer than the library.',
    prefixes: ['content', 'download', 'captions', 'thumbnail'],
  },
  {
    title: 'Uploads',
    about:
      'Problems while a file is sent, processed or published. The upload server that receives the bytes is often a different computer than the library.',
    prefixes: ['upload', 'preset', 'recipe'],
  },
  {
    title: 'After uploading',
    about:
      'The file is in the library. Something failed with the original on this computer, which you asked Mediadesk to move or to put in the trash. Mediadesk never removes a file unless it is certain that the library has it.',
    prefixes: ['source', 'trash'],
  },
  {
    title: 'Watched folders',
    about:
      'The state of a watched folder, or the reason why a file in it waits or isn’t uploaded. Most of them are notices, not errors: Mediadesk keeps watching.',
    prefixes: ['watch'],
  },
  {
    title: 'Updates of Mediadesk',
    about:
      'Mediadesk installs only versions that its makers signed. Whatever is wrong with an update, the installed version continues to work. See [Updates](user-guide.md#updates).',
    prefixes: ['update'],
  },
  {
    title: 'Profile folder',
    about:
      'The profile folder holds the queue and the settings. The [user guide](user-guide.md#profile-and-keychain) tells where it is.',
    prefixes: ['profile'],
  },
  { title: 'Other', about: 'These have no topic of their own.', prefixes: ['receipt', 'input', 'internal'] },
  {
    title: 'Administration',
    about: 'Problems with users, groups, tags, roles and memberships of a library.',
    prefixes: ['admin'],
  },
  {
    title: 'The desktop and Mediadesk itself',
    about: 'Problems with what Mediadesk does outside of its window, and notices about its own faults.',
    prefixes: ['desktop', 'app'],
  },
];

/** More about errors whose message alone doesn’t explain the cause. */
export const MEANINGS: Partial<Record<ErrorCode, string>> = {
  'site.address-insecure': 'Only a library on this computer itself can be used without encryption.',
  'site.not-a-library':
    'A server responded, but not like the API of a media library. The address may be that of the institution’s website.',
  'sign-in.denied': 'You, or the library, chose not to give Mediadesk access.',
  'sign-in.failed':
    'Often the client ID isn’t registered in this library, or is registered for another redirect address.',
  'sign-in.state-mismatch': 'An old browser tab can also cause this.',
  'sign-in.port-taken': 'The browser returns to Mediadesk through a local address such as `http://localhost:49152`.',
  'sign-in.required': 'The library ended your sign-in, or you signed out.',
  'keychain.locked': 'Some systems lock the keychain until you log in to the desktop or enter its password.',
  'network.unreachable': 'The network is down, the address doesn’t exist, or the library’s server is off.',
  'network.tls':
    'The message names the reason and the issuer. The certificate may have expired, it may be from an authority of your institution, or a program on the network intercepts encrypted connections.',
  'network.proxy-sign-in':
    'The message names the proxy. A password that it refused isn’t sent again for ten minutes, because many wrong attempts can lock your account.',
  'network.proxy-unreachable': 'The proxy is off, or its address is wrong. The library itself may be fine.',
  'network.proxy-refused': 'The message has the status of the proxy. Its rules don’t allow the library’s address.',
  'network.proxy-unsupported':
    'Mediadesk uses HTTP proxies. The settings of this computer name one of another kind, such as SOCKS.',
  'network.certificate-refused':
    'The message names the reason: the file isn’t a certificate, a certificate isn’t that of an authority, it has expired, or its key is too short. None of the file is imported then.',
  'api.forbidden': 'Roles in the library decide who may upload, edit, delete and publish.',
  'api.not-found': 'The library doesn’t tell whether something was deleted or is hidden from you.',
  'api.read-only': 'During maintenance, the library can be read but not changed.',
  'api.unexpected': 'The library may have been updated, or a proxy responds in its place.',
  'api.malformed': 'A proxy or a damaged connection often causes this.',
  'library.copy-damaged': 'A crash or a faulty drive can cause this. Nothing in the library is affected.',
  'library.incomplete-list':
    'A proxy or a library that is being restored can cause this. No item is removed from the copy.',
  'file.drive-gone': 'Mediadesk checks every few seconds.',
  'file.disk-hangs': 'Mediadesk gives up on a read after half a minute and checks again later.',
  'file.is-link': 'It may have been a file when you added it.',
  'file.replaced': 'For example, a program saved its file under this name.',
  'file.followed': 'It recognizes the file itself, not its name, so it never uploads a different file in its place.',
  'file.changed': 'A recorder or an editor was probably still writing to it.',
  'upload.refused': 'The permission to send may have expired, or the file is larger than the upload server allows.',
  'upload.destination-lost': 'The library waits for half an hour.',
  'upload.not-received': 'A hotel or guest network can respond in place of the upload server until you sign in to it.',
  'upload.may-exist':
    'Mediadesk found items that could be this upload’s own, and can’t tell them from a colleague’s empty draft. It doesn’t create a second item without asking.',
  'upload.item-unconfirmed':
    'The request was sent, and its answer is missing: changed details would not be those of the item.',
  'upload.size-differs': 'Something changed the file on its way, or the library stored only part of it.',
  'upload.processing-failed': 'The file may be damaged, or its format isn’t supported.',
  'upload.tags-missing': 'The library may not allow new tags from your account.',
  'upload.may-arrive': 'Sending again now could create a duplicate.',
  'upload.held-back':
    'On a slow connection, Mediadesk sends fewer files at a time so that each arrives within half an hour.',
  'upload.duplicate':
    'Mediadesk compares contents, not names. “Probably” means that only the title or name, and the size, could be compared.',
  'upload.same-file': 'For example, through a link or two overlapping folders.',
  'upload.title-fallback':
    'For example, `{tag.artist}` of a file without this tag, or of a file whose tags can’t be read. The details name the tokens.',
  'source.held': 'The file and its companions are moved together.',
  'source.copy-differs': 'Mediadesk compares every byte before it removes an original.',
  'profile.in-use': 'Only one Mediadesk can use a profile at a time: the window or the command line.',
  'profile.damaged': 'A crash, a full drive or a faulty drive can cause this. Nothing in the library is affected.',
  'profile.row-damaged': 'Only this upload is affected.',
  'input.invalid': 'The message usually names the value.',
  'watch.settling': 'Mediadesk waits until a file has been unchanged for 10 seconds, or longer if it grows in steps.',
  'watch.drive-away': 'An empty mount point counts as absent too. Nothing is removed from the list meanwhile.',
  'watch.root-moved':
    'Mediadesk recognizes the folder itself, or its drive, in another place, or a link to another folder replaced it.',
  'watch.events-missed': 'Some drives and shares do not report every change. Sweeps find all of them.',
  'watch.same-contents':
    'Mediadesk compares contents, not names. A file that was renamed or moved is not uploaded again.',
  internal: 'This is a bug. Your queue isn’t affected.',
};
