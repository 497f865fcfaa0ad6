export { KeysController } from './keys.controller.js';
