import { harborTaskset } from '@vf/taskset-harbor';

export default harborTaskset({ path: new URL('../tasks', import.meta.url) });
