// The bodies by which things are created, for clients that check a file before they send anything of it.

export { endUserChange, projectCreation, raise as projectRaise } from '../accounts/account-contract.ts';
export { alertRuleCreation } from '../alerts/alert-contract.ts';
export { invitationCreation } from '../identity/identity-contract.ts';
export { name as workspaceName } from '../setting-fields.ts';
