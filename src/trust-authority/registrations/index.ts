export { RegistrationsController } from './registrations.controller.js';
