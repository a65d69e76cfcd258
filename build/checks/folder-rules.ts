// The allowed imports between the folders of a part, for parts with many folders. CONTRIBUTING.md describes the parts themselves.
import { ENGINE_FOLDERS } from './engine-folders.ts';
import type { PartRules } from './folder-rule.ts';
import { RENDERER_FOLDERS } from './renderer-folders.ts';

/** The folders that most resources import from. */
const RESOURCE_BASE = ['service/wire', 'service/database', 'service/site', 'service/resources'];

export const PARTS: readonly PartRules[] = [
  {
    part: 'service',
    folders: [
      { folder: 'service/wire', mayImport: [] },
      { folder: 'service/storage', mayImport: [] },
      { folder: 'service/secrets', mayImport: ['service/wire'] },
      { folder: 'service/database', mayImport: ['service/storage'] },
      { folder: 'service/access', mayImport: ['service/database'] },
      {
        folder: 'service/site',
        mayImport: ['service/wire', 'service/storage', 'service/secrets', 'service/database', 'service/access'],
      },
      { folder: 'service/signed-urls', mayImport: ['service/site'] },
      {
        folder: 'service/oauth',
        mayImport: ['service/wire', 'service/secrets', 'service/database', 'service/site'],
      },
      {
        folder: 'service/resources',
        mayImport: ['service/wire', 'service/database', 'service/site', 'service/oauth'],
      },
      {
        folder: 'service/resources/collections',
        mayImport: [...RESOURCE_BASE, 'service/access', 'service/signed-urls'],
      },
      { folder: 'service/resources/podcasts', mayImport: [...RESOURCE_BASE, 'service/resources/collections'] },
      { folder: 'service/resources/media', mayImport: [...RESOURCE_BASE, 'service/access', 'service/signed-urls'] },
      {
        folder: 'service/resources/files',
        mayImport: [...RESOURCE_BASE, 'service/signed-urls', 'service/resources/media'],
      },
      {
        folder: 'service/resources/thumbnails',
        mayImport: [
          'service/wire',
          'service/site',
          'service/resources',
          'service/signed-urls',
          'service/resources/collections',
          'service/resources/media',
        ],
      },
      { folder: 'service/resources/tags', mayImport: [...RESOURCE_BASE, 'service/resources/media'] },
      { folder: 'service/resources/groups', mayImport: RESOURCE_BASE },
      {
        folder: 'service/resources/users',
        mayImport: [...RESOURCE_BASE, 'service/signed-urls', 'service/resources/groups'],
      },
      { folder: 'service/resources/roles', mayImport: [...RESOURCE_BASE, 'service/access'] },
      {
        folder: 'service/resources/memberships',
        mayImport: [...RESOURCE_BASE, 'service/access', 'service/resources/users', 'service/resources/roles'],
      },
      {
        folder: 'service/webhook',
        mayImport: [
          'service/wire',
          'service/database',
          'service/site',
          'service/resources/media',
          'service/resources/files',
        ],
      },
      { folder: 'service/processing/headers', mayImport: [] },
      { folder: 'service/processing/tools', mayImport: ['service/processing/headers'] },
      {
        folder: 'service/processing',
        mayImport: [
          'service/database',
          'service/site',
          'service/resources/files',
          'service/webhook',
          'service/processing/headers',
          'service/processing/tools',
        ],
      },
      {
        folder: 'service/uploads',
        mayImport: [
          'service/wire',
          'service/storage',
          'service/site',
          'service/signed-urls',
          'service/resources/media',
          'service/resources/files',
          'service/resources/thumbnails',
          'service/processing/headers',
        ],
      },
      {
        folder: 'service/cdn',
        mayImport: ['service/wire', 'service/site', 'service/signed-urls', 'service/resources/files'],
      },
      {
        folder: 'service/pages',
        mayImport: [
          'service/wire',
          'service/access',
          'service/site',
          'service/signed-urls',
          'service/oauth',
          'service/resources/collections',
          'service/resources/media',
          'service/resources/files',
        ],
      },
      {
        folder: 'service/seed',
        mayImport: [
          'service/storage',
          'service/secrets',
          'service/database',
          'service/access',
          'service/oauth',
          'service/resources/collections',
          'service/resources/media',
        ],
      },
      {
        folder: 'service/app',
        mayImport: [
          'service/wire',
          'service/database',
          'service/site',
          'service/oauth',
          'service/resources',
          'service/resources/collections',
          'service/resources/podcasts',
          'service/resources/media',
          'service/resources/files',
          'service/resources/thumbnails',
          'service/resources/tags',
          'service/resources/groups',
          'service/resources/users',
          'service/resources/roles',
          'service/resources/memberships',
          'service/uploads',
          'service/cdn',
          'service/pages',
        ],
      },
      {
        folder: 'service/lab',
        mayImport: [
          'service/wire',
          'service/secrets',
          'service/database',
          'service/site',
          'service/resources/files',
          'service/app',
        ],
      },
    ],
    routes: { ending: '-routes.ts', routesFor: 'service/app' },
  },
  {
    part: 'electron/cli',
    folders: [
      { folder: 'electron/cli/arguments', mayImport: [] },
      { folder: 'electron/cli/output', mayImport: [] },
      { folder: 'electron/cli/session', mayImport: ['electron/cli/arguments', 'electron/cli/output'] },
      {
        folder: 'electron/cli/command-base',
        mayImport: ['electron/cli/arguments', 'electron/cli/output', 'electron/cli/session'],
      },
      {
        folder: 'electron/cli/uploads',
        mayImport: ['electron/cli/output', 'electron/cli/session', 'electron/cli/command-base'],
      },
      {
        folder: 'electron/cli/watch',
        mayImport: ['electron/cli/output'],
      },
      { folder: 'electron/cli/collections', mayImport: [] },
      { folder: 'electron/cli/library', mayImport: ['electron/cli/collections', 'electron/cli/arguments'] },
      {
        folder: 'electron/cli/spreadsheets',
        mayImport: [
          'electron/cli/library',
          'electron/cli/arguments',
          'electron/cli/output',
          'electron/cli/command-base',
        ],
      },
      {
        folder: 'electron/cli/edits',
        mayImport: [
          'electron/cli/arguments',
          'electron/cli/command-base',
          'electron/cli/output',
          'electron/cli/session',
        ],
      },
      {
        folder: 'electron/cli/commands',
        mayImport: [
          'electron/cli/collections',
          'electron/cli/library',
          'electron/cli/spreadsheets',
          'electron/cli/edits',
          'electron/cli/watch',
          'electron/cli/arguments',
          'electron/cli/output',
          'electron/cli/session',
          'electron/cli/command-base',
          'electron/cli/uploads',
        ],
      },
    ],
  },
  ENGINE_FOLDERS,
  RENDERER_FOLDERS,
];
