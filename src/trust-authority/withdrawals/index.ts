export { WithdrawalsController } from './withdrawals.controller.js';
export { Withdrawals } from './withdrawals.js';
