// The allowed imports between the folders of a part, for parts with many folders. CONTRIBUTING.md describes the parts themselves.
import { ENGINE_FOLDERS } from './engine-folders.ts';
import { type PartRules, partRules } from './folder-rule.ts';
import { RENDERER_FOLDERS } from './renderer-folders.ts';

/** The folders that most resources import from. */
const RESOURCE_BASE = 'wire database site resources';

export const PARTS: readonly PartRules[] = [
  partRules({
    part: 'service',
    folders: {
      wire: '',
      languages: 'wire',
      storage: '',
      secrets: 'wire',
      database: 'storage',
      'database/postgres': 'storage database',
      'database/move': 'storage database',
      access: 'database',
      site: 'wire languages storage secrets database access',
      audit: 'database site',
      quotas: 'wire database site',
      'signed-urls': 'site',
      oauth: 'wire languages secrets database site audit',
      limits: 'wire site oauth',
      resources: 'wire database site oauth',
      'resources/collections': `${RESOURCE_BASE} quotas signed-urls`,
      'resources/podcasts': `${RESOURCE_BASE} resources/collections`,
      'resources/media': `${RESOURCE_BASE} access quotas signed-urls`,
      'resources/files': `${RESOURCE_BASE} quotas signed-urls resources/media`,
      'resources/thumbnails': 'wire site resources signed-urls resources/collections resources/media',
      'resources/tags': `${RESOURCE_BASE} resources/media`,
      'resources/groups': RESOURCE_BASE,
      'resources/users': `${RESOURCE_BASE} signed-urls resources/groups`,
      'resources/roles': RESOURCE_BASE,
      'resources/memberships': `${RESOURCE_BASE} access resources/users resources/roles`,
      oidc: 'wire languages secrets site oauth resources/groups',
      webhook: 'wire database site resources/media resources/files',
      'processing/headers': '',
      'processing/tools': 'processing/headers',
      objects: 'storage database site',
      processing: 'storage database site resources/files webhook processing/headers processing/tools',
      workers: 'wire site signed-urls processing',
      worker: 'storage site processing processing/tools workers',
      uploads: 'wire storage site signed-urls resources/media resources/files resources/thumbnails processing/headers',
      cdn: 'wire site signed-urls resources/files',
      feeds: 'wire site signed-urls resources/collections resources/media resources/files resources/podcasts',
      pages: 'wire languages access site signed-urls oauth feeds resources/collections resources/media resources/files',
      openapi: `site resources/collections resources/podcasts resources/media resources/files resources/thumbnails
        resources/tags resources/groups resources/users resources/roles resources/memberships`,
      mail: 'site',
      accounts: 'wire languages secrets database site audit oauth mail resources/users',
      seed: 'wire storage secrets database oauth accounts resources/collections resources/media',
      app: `wire storage database site audit oauth oidc resources resources/collections resources/podcasts resources/media
        resources/files resources/thumbnails resources/tags resources/groups resources/users resources/roles
        resources/memberships uploads cdn feeds pages openapi accounts limits workers`,
      operate: 'wire storage secrets database site audit quotas',
      archive: 'storage database site',
      lab: 'wire secrets database site resources/files app',
    },
    routes: { ending: '-routes.ts', routesFor: 'service/app' },
  }),
  partRules({
    part: 'electron/cli',
    folders: {
      arguments: '',
      output: '',
      session: 'arguments output',
      'command-base': 'arguments output session',
      uploads: 'output session command-base',
      watch: 'output',
      collections: '',
      library: 'collections arguments',
      spreadsheets: 'arguments output command-base',
      admin: 'arguments output command-base spreadsheets',
      'shell-files': 'arguments command-base session',
      edits: 'arguments command-base output session',
      commands: 'admin collections library spreadsheets edits watch arguments output session command-base uploads',
    },
  }),
  ENGINE_FOLDERS,
  RENDERER_FOLDERS,
];
