/** One way in which the money could go wrong: lines of the engine, or of the model of its store, made wrong. */
export interface Mutation {
  readonly name: string;
  readonly edits: readonly { readonly file: string; readonly line: string; readonly mutated: string }[];
}

const STORE = 'test/simulation/memory-store.ts';
const PURSES = 'src/gate/purses/leases/purses.ts';
const TIERS = 'src/domain/tier-price.ts';
const PERMIT_STORE = 'test/support/model-permit-store.ts';

function mutation(name: string, file: string, line: string, mutated: string): Mutation {
  return { name, edits: [{ file, line, mutated }] };
}

/** Each must make the simulation fail, or it would not notice that mistake. */
export const MUTATIONS: readonly Mutation[] = [
  mutation(
    'a fenced epoch settles as if it lived',
    STORE,
    'const { leases } = this.requireLive(epochId);\n    const fresh',
    'const { leases } = this.epochs.get(epochId) ?? this.requireLive(epochId);\n    const fresh',
  ),
  mutation(
    'a repeated draw takes effect again',
    STORE,
    'if (lease.sequence < request.sequence) {',
    'if (request.sequence > 0n) {',
  ),
  mutation(
    'a late charge has no bound',
    STORE,
    'const taken = isSuperseded(receipt) ? ZERO : most(ZERO, free);',
    'const taken = receipt.charge;',
  ),
  mutation(
    'a receipt that is sent twice charges twice',
    STORE,
    'const fresh = unsettledIn(receipts, this.receipts);\n    const charges',
    'const fresh = receipts;\n    const charges',
  ),
  mutation(
    'a fenced epoch draws',
    STORE,
    'const epoch = this.requireLive(epochId);\n    const known',
    'const epoch = this.epochs.get(epochId) ?? this.requireLive(epochId);\n    const known',
  ),
  mutation('a hold closes twice', 'src/gate/purses/leases/hold.ts', "assert(!this.#closed, 'a hold closes once');", ''),
  mutation(
    'a request charges a window that is over',
    'src/gate/purses/leases/lease-registry.ts',
    'return validFromMs <= nowMs && nowMs < validUntilMs && forgetting === this.#forgetting;',
    'return validFromMs <= nowMs && validUntilMs > 0 && forgetting === this.#forgetting;',
  ),
  mutation(
    'a lease is used after its release',
    'src/gate/purses/leases/lease-registry.ts',
    'return validFromMs <= nowMs && nowMs < validUntilMs && forgetting === this.#forgetting;',
    'return validFromMs <= nowMs && nowMs < validUntilMs && forgetting >= 0;',
  ),
  mutation(
    'draws have no numbers',
    'src/gate/purses/leases/draws.ts',
    'sequence,\n      keep',
    'sequence: 1n,\n      keep',
  ),
  mutation(
    'slack stays in memory while it goes back',
    'src/gate/purses/leases/draws.ts',
    'keep: lease.granted,',
    'keep: lease.held + lease.charged,',
  ),
  mutation(
    'slack is kept that should go back',
    'src/gate/purses/leases/lease.ts',
    'if (this.#open || giveBack) this.#figures',
    'if (this.#open || (giveBack && this.held < 0n)) this.#figures',
  ),
  mutation(
    'a hold does not wait for its draw',
    'src/gate/purses/leases/lease.ts',
    'return this.#open || (amount <= this.slack && (',
    'return this.#open || (amount <= this.slack + 50n && (',
  ),
  mutation(
    'an open lease stays open while it is drawn',
    'src/gate/purses/leases/lease.ts',
    '    this.#open = false;\n  }\n',
    '  }\n',
  ),
  mutation(
    'a refusal rests on old figures',
    'src/gate/purses/leases/waitlist.ts',
    'return lease.answered > (this.#sentBefore[this.leases.indexOf(lease)] ?? 0n);',
    'return lease.answered >= 0n || this.#sentBefore.length === 0;',
  ),
  mutation(
    'a heartbeat counts from its answer',
    'src/gate/purses/epoch.ts',
    'this.#acknowledgedSentMs = Math.max(this.#acknowledgedSentMs, sentMs);',
    'this.#acknowledgedSentMs = Math.max(this.#acknowledgedSentMs, answeredMs);',
  ),
  mutation(
    'a silent process goes on holding',
    'src/gate/purses/epoch.ts',
    'return !this.#dead && this.#clock.monotonicMs() - this.#acknowledgedSentMs < this.#timeoutMs;',
    'return !this.#dead;',
  ),
  mutation(
    'a peer is watched from before it was seen',
    'src/gate/purses/epoch.ts',
    '{ heartbeat: peer.heartbeat, sinceMs: answeredMs }',
    '{ heartbeat: peer.heartbeat, sinceMs: sentMs }',
  ),
  mutation(
    'the journal is cleared too early',
    'src/gate/purses/settlement/kept-receipts.ts',
    'for (const { journaled } of this.#all.items()) if (journaled) return;',
    '',
  ),
  mutation(
    'an answer goes out before its charge is anywhere',
    'src/gate/purses/settlement/kept-receipts.ts',
    'if (journaled && nowMs - sinceMs >= COMMIT_MS) resolve();',
    'if (journaled || nowMs - sinceMs >= 0) resolve();',
  ),
  mutation(
    'a journal is removed before it is settled',
    'src/gate/purses/settlement/recovery.ts',
    'await batches.settle(batch.map((receipt) => ({ receipt, answer: null })));',
    'await Promise.resolve(batches);',
  ),
  mutation(
    'what a failover may have lost is not sent again',
    'src/gate/purses/incarnation.ts',
    'this.#settlement.resend();',
    '',
  ),
  mutation(
    'former epochs are forgotten at once',
    'src/gate/purses/spending.ts',
    'const over = this.#former.filter(({ isOver }) => isOver);',
    'const over = this.#former.filter(({ unsettled }) => unsettled === 0);',
  ),
  mutation(
    'what was refused before a failover is forgotten',
    'src/gate/purses/settlement/settlement.ts',
    'this.#recent?.note(pending);',
    "if (end.kind !== 'refused') this.#recent?.note(pending);",
  ),
  mutation(
    'a process leaves no trail of what it settles',
    'src/gate/purses/settlement/settlement.ts',
    'if (this.#recent !== null) await this.#recent.leaveTrail(batch, this.#epoch.timeline);',
    '',
  ),
  mutation(
    'a journal leaves no trail when it is settled',
    'src/gate/purses/settlement/recovery.ts',
    'await trail?.add(receipts, null);',
    '',
  ),
  mutation(
    'a trail is never sent',
    'src/gate/purses/settlement/recovery.ts',
    'await settleAll(batches, await receipts());',
    '',
  ),
  mutation(
    'a trail ends with the first server that has got it',
    'src/gate/purses/settlement/recovery.ts',
    'await moveTo(present);',
    'await remove();',
  ),
  mutation(
    'an epoch outlives a lease that is lost',
    'src/gate/purses/settlement/receipt-batches.ts',
    'if (fault instanceof LeaseGone && this.#onLost !== null) {',
    'if (fault instanceof LeaseGone && this.#onLost !== null && this.#isLate) {',
  ),
  mutation(
    'one purse that is refused holds up all others',
    'src/lib/in-parts.ts',
    'if (parts.length === 1) {',
    'if (parts.length >= 1) {',
  ),
  mutation(
    'a hold keeps what it has of other purses while one is short',
    'src/gate/purses/leases/waitlist.ts',
    'if (lacking.includes(lease) || (lacking.length === 0 && !this.#isStuck(waiter, lease))) needs.push(amount);',
    'if (lacking.length >= 0) needs.push(amount);',
  ),
  mutation(
    'those who go on leave slack behind',
    'src/gate/purses/leases/allocator.ts',
    'const concerned = [...this.#waitlist.withSiblings(leases), ...more];',
    'const concerned = [...leases, ...more];',
  ),
  mutation(
    'leases outlive a failover',
    'src/gate/purses/incarnation.ts',
    "this.#owner.mustEnd('another database server has taken over');",
    '',
  ),
  mutation(
    'a first draw takes the place of a lease that is there',
    STORE,
    'return lease === undefined || lease.sequence === draw.sequence;',
    'return lease === undefined || lease.sequence < draw.sequence;',
  ),
  mutation(
    'a first draw’s answer replaces what a lease has learnt since',
    'src/gate/purses/leases/allocator.ts',
    'if (lease.sent > 0n) continue;',
    'if (lease.sent > sequence) continue;',
  ),
  mutation(
    'what a look-up has drawn is forgotten where its outcome is unknown',
    'src/gate/purses/first-draws.ts',
    'this.#repeat(secrets, draw).catch((failure: unknown) => this.#events.failed(failure));',
    '',
  ),
  mutation(
    'a lease that was lost and made anew is taken for the former one',
    'src/gate/purses/leases/draws.ts',
    'if (lease.isKnown && reply.sequence !== request.sequence) {',
    'if (lease.isKnown && reply.sequence < 0n) {',
  ),
  mutation(
    'a hold needs room in its credit alone',
    'src/gate/purses/leases/hold.ts',
    'for (const lease of all) if (!lease.fits(amount)) return false;',
    'for (const lease of all) if (lease === all[0] ? !lease.fits(amount) : !lease.isKnown) return false;',
  ),
  mutation(
    'a hold needs no room in the purse of its end user or session',
    'src/gate/purses/leases/hold.ts',
    'for (const lease of all) if (!lease.fits(amount)) return false;',
    'for (const lease of all) if (lease.isBrief ? !lease.hasPurse : !lease.fits(amount)) return false;',
  ),
  mutation(
    'a receipt says nothing of its session',
    'src/gate/purses/leases/hold.ts',
    '...(session !== null && { sessionPurse: servedPurse(session) }),',
    '',
  ),
  mutation(
    'a member’s limit holds nobody',
    'src/gate/purses/leases/purse-names.ts',
    "...(memberLimitId === null ? [] : [named('member', memberLimitId, 'month')]),",
    '',
  ),
  mutation(
    'the purse of an end user keeps the limit that it was opened with',
    STORE,
    'if (known !== undefined) known.limit = limit;',
    '',
  ),
  mutation(
    'the lease of an end user is forgotten while it holds',
    'src/gate/purses/leases/brief-leases.ts',
    'if (idleMs < DRAW_RULE.briefForgetMs || !lease.isQuiet || isNeeded(lease)) continue;',
    'if (idleMs < DRAW_RULE.briefForgetMs || isNeeded(lease)) continue;',
  ),
  mutation(
    'the lease of an end user goes without being given back',
    'src/gate/purses/leases/brief-leases.ts',
    'if (lease.hasPurse) done.push(lease);',
    '',
  ),
  mutation(
    'peers allow for no drift of clocks',
    'src/gate/purses/epoch.ts',
    'timeoutMs + timeoutMs / DRIFT_PART;',
    'timeoutMs + 0 / DRIFT_PART;',
  ),
  mutation(
    'a repeated draw of permits takes effect again',
    PERMIT_STORE,
    'const isNew = draw.sequence > lease.sequence;',
    'const isNew = draw.sequence > 0;',
  ),
  mutation(
    'a permit is drawn that the bucket does not have',
    PERMIT_STORE,
    '(requests === null || requests.parts >= PARTS_PER_PERMIT) &&',
    '(requests === null || requests.parts >= -PARTS_PER_PERMIT) &&',
  ),
  mutation('a place is drawn that is taken', PERMIT_STORE, 'slots >= 1;', 'slots >= 0;'),
  mutation(
    'permits of a fenced epoch count for ever',
    PERMIT_STORE,
    'for (const project of this.#projects.values()) project.leases.delete(epochId);',
    '',
  ),
  mutation(
    'a refused request gives two permits back',
    'src/gate/purses/permits/permit-lease.ts',
    "if (requestsPerMinute !== null) this.#putBack('requests', 1);",
    "if (requestsPerMinute !== null) this.#putBack('requests', 2);",
  ),
  mutation(
    'permits that are offered with a draw stay in stock',
    'src/gate/purses/permits/permits-at-hand.ts',
    'if (isOffered) this.#stock = { ...NO_STOCK };',
    'if (isOffered && this.#running < 0) this.#stock = { ...NO_STOCK };',
  ),
  mutation(
    'a request that has ended keeps its place',
    'src/gate/purses/permits/permits-at-hand.ts',
    'this.#running -= 1;',
    '',
  ),
  mutation(
    'a permit that comes too late stays with nobody',
    'src/gate/purses/permits/permit-lease.ts',
    'if (waiter.isOver) permit.giveBack();',
    'if (waiter.isOver) return;',
  ),
  mutation(
    'what a first draw brings beside a lease is forgotten',
    'src/gate/purses/permits/rate-limiter.ts',
    'if (requests + tokens + slots > 0) this',
    'if (requests + tokens + slots < 0) this',
  ),
  mutation(
    'idle permits are kept',
    'src/gate/purses/permits/permit-lease.ts',
    'if (target.requests === 0) return this.#atHand.hasDrawn && !this.#mayKeep;',
    'if (target.requests === 0) return false;',
  ),
  mutation(
    'a late receipt is charged though another request has its key',
    STORE,
    'isSuperseded(receipt) ? ZERO : most(ZERO, free);',
    'isSuperseded(receipt) && free < 0n ? ZERO : most(ZERO, free);',
  ),
  mutation(
    'a claim whose outcome is unknown is given up as if it were known',
    'src/gate/gateway/claims/claim.ts',
    'idempotency.release(this.#request, this.#isInDoubt)',
    'idempotency.release(this.#request, false)',
  ),
  mutation(
    'a claim whose outcome is unknown is not released',
    'src/gate/gateway/claims/claim.ts',
    'this.#isInDoubt ||= !(fault instanceof EpochFenced || fault instanceof DatabaseUnreached);',
    'this.#isInDoubt ||= fault instanceof TypeError;',
  ),
  mutation(
    'what a failed look-up may still draw of permits is forgotten',
    'src/gate/purses/first-draws.ts',
    'this.#permits.outrunFirst(principal);\n    return',
    'return',
  ),
  mutation(
    'a hold is never drawn for before it waits',
    PURSES,
    'const end = await this.#drawNow(principal, amount, { places: true });',
    'const end = await Promise.resolve(null);',
  ),
  mutation(
    'a query whether a hold would be placed places it',
    PURSES,
    'const end = await this.#waitUntilFits(principal, amount, { places: false });',
    'const end = await this.#waitUntilFits(principal, amount, { places: true });',
  ),
  mutation(
    'idle slack stays in its lease',
    'src/gate/purses/leases/allocator.ts',
    'for (const lease of idle) this.#giveBack(lease);',
    '',
  ),
  mutation(
    'what is locked is never asked for again',
    'src/lib/batched-calls.ts',
    'if (busy.length > 0) this.#askAgain(busy);',
    '',
  ),
  mutation(
    'a charge that finds others waiting for a locked purse is forgotten',
    'src/gate/purses/settlement/settlement.ts',
    '      waiting.push(pending);\n      return;',
    '      return;',
  ),
  mutation(
    'a request holds the lowest rate of the tiers that it may be answered in',
    TIERS,
    'return [tokenClass, rate > otherRate ? rate : otherRate] as const;',
    'return [tokenClass, rate < otherRate ? rate : otherRate] as const;',
  ),
  mutation(
    'a request holds what the standard tier costs',
    TIERS,
    'if (tier === null || own === undefined) return terms;',
    'if (tier === null || own === undefined || requested !== null) return terms;',
  ),
  mutation(
    'a request that names no tier holds nothing for priority',
    TIERS,
    'if (tier === null || own === undefined) return terms;',
    'if (tier === null || own === undefined || requested === null) return terms;',
  ),
  mutation(
    'a long request holds the rates of a short one in its tier',
    TIERS,
    'rates: higher(tier.rates, other.tiers[index]?.rates ?? other.rates)',
    'rates: higher(tier.rates, index < 0 ? other.rates : tier.rates)',
  ),
  mutation(
    'the requested tier is charged, whatever the answer names',
    TIERS,
    "if (possible === null || answered === 'standard') return STANDARD;",
    'if (possible === null) return STANDARD;\n  if (requested === possible) return { tier: possible, isEstimated: answered === null };',
  ),
  mutation(
    'an answer that names no tier is charged in the standard one',
    TIERS,
    'return isUnnamed ? { tier: possible, isEstimated: true } : STANDARD;',
    'return isUnnamed && answered !== null ? { tier: possible, isEstimated: true } : STANDARD;',
  ),
];
