import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { nameTimeZone } from './named-time-zone.ts';
import { setTrustedTypes } from './trusted-types.ts';

setTrustedTypes();
nameTimeZone();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root.');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
