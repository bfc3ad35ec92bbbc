// What the audit log of a workspace records: a resource and a verb. The console offers them as filters.

export const AUDIT_ACTIONS = [
  'workspace.create',
  'workspace.rename',
  'workspace.suspend',
  'workspace.resume',
  'workspace.close',
  'workspace.refund',
  'workspace.refund_and_archive',
  'project.create',
  'project.update',
  'project.archive',
  'project.restore',
  'key.create',
  'key.update',
  'key.rotate',
  'key.end_former_secret',
  'key.revoke',
  'access.update',
  'domain.add',
  'domain.prove',
  'domain.remove',
  'member.add',
  'member.update',
  'member.remove',
  'invitation.create',
  'invitation.accept',
  'invitation.revoke',
  'access_token.create',
  'access_token.revoke',
  'password.reset_link',
  'auto_top_up.update',
  'top_up.create',
  'payment.refund',
  'code.redeem',
  'price.adjust',
  'alert_rule.create',
  'alert_rule.update',
  'alert_rule.delete',
  'webhook.create',
  'webhook.update',
  'webhook.rotate',
  'webhook.delete',
  'webhook.test',
  'delivery.resend',
] as const;

/** Actions of a user on their own account, and of an operator on the instance, belong to no workspace. */
type AccountAction =
  `${'authenticator' | 'codes' | 'instance' | 'openid' | 'operator_token' | 'password' | 'recovery_codes' | 'secrets' | 'session' | 'user'}.${string}`;

export type AuditAction = (typeof AUDIT_ACTIONS)[number] | AccountAction;
