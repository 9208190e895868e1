import { describeTaskset } from '@vf/testkit/conformance';
import taskset from '../src/index.ts';

describeTaskset(() => taskset);
