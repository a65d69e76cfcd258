import { enableCompileCache } from 'node:module';

enableCompileCache();
const { serve } = await import('./serve.ts');
await serve('npm run -s service --', process.argv.slice(2));
