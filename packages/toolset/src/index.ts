export { toolHost } from './tool-host.ts';
