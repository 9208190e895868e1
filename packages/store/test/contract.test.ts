import { describeStore } from '@vf/testkit/conformance';
import store from './as-store.ts';

describeStore(() => store, { module: new URL('./as-store.ts', import.meta.url) });
