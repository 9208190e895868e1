export { anyMessage, anyMessages, anyTurns } from './messages.ts';
