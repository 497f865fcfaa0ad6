export { PassportsController } from './passports.controller.js';
export { type NewPassport, Passports } from './passports.js';
