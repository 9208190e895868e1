export { makeRenderer } from './make-renderer.ts';
