import { expectCases } from './expect-cases.ts';

expectCases(['http', 'tokens', 'descriptors', 'destinations', 'notification', 'site']);
