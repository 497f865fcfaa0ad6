import { Controller, Inject } from '@nestjs/common';
import {
  Caller,
  type CallerContext,
  Handles,
  Input,
  type InputOf,
} from '../../../base/platform/index.js';
import { type Agents, AGENTS } from '../../../base/tenants/index.js';
import { mapOk, ok } from '../../../core/kernel/index.js';
import { commandContext } from '../command-context.js';
import {
  createAgent,
  listAgents,
  printAgent,
  readAgent,
  resumeAgent,
  suspendAgent,
} from './agents.contract.js';
import { pageRequest, printPage } from './pieces.js';

@Controller()
export class AgentsController {
  constructor(@Inject(AGENTS) private readonly agents: Agents) {}

  @Handles(createAgent)
  async create(@Input() { body }: InputOf<typeof createAgent>, @Caller() caller: CallerContext) {
    return mapOk(await this.agents.create(commandContext(caller), body.name), printAgent);
  }

  @Handles(listAgents)
  async list(@Input() { query }: InputOf<typeof listAgents>, @Caller() caller: CallerContext) {
    const page = await this.agents.list(caller.principal.tenantId, pageRequest(query));
    return ok(printPage(page, printAgent));
  }

  @Handles(readAgent)
  async read(@Input() { params }: InputOf<typeof readAgent>, @Caller() caller: CallerContext) {
    return mapOk(await this.agents.get(caller.principal.tenantId, params.agent_id), printAgent);
  }

  @Handles(suspendAgent)
  async suspend(
    @Input() { params }: InputOf<typeof suspendAgent>,
    @Caller() caller: CallerContext,
  ) {
    const change = { agentId: params.agent_id, suspended: true };
    return mapOk(await this.agents.switch(commandContext(caller), change), printAgent);
  }

  @Handles(resumeAgent)
  async resume(@Input() { params }: InputOf<typeof resumeAgent>, @Caller() caller: CallerContext) {
    const change = { agentId: params.agent_id, suspended: false };
    return mapOk(await this.agents.switch(commandContext(caller), change), printAgent);
  }
}
