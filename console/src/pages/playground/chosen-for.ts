import type { ProjectJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import type { ModelJson } from '../../../../src/control/admin/catalogue/model-contract.ts';
import { allowsModel } from '../../../../src/domain/policy.ts';

interface Named {
  readonly model?: string | undefined;
  readonly project?: string | undefined;
}

interface Choice<Model, Project> {
  readonly model: Model | undefined;
  readonly project: Project | undefined;
}

/**
 * What the address names. What it leaves open is chosen so that the first request is served: a project that allows the model and has
 * budget left, otherwise one that allows it.
 */
export function chosenFor<
  Model extends Pick<ModelJson, 'id'>,
  Project extends Pick<ProjectJson, 'id' | 'models' | 'left_nano_usd'>,
>(models: readonly Model[], projects: readonly Project[], named: Named): Choice<Model, Project> {
  const givenModel = models.find(({ id }) => id === named.model);
  const givenProject = projects.find(({ id }) => id === named.project);
  const open = givenProject === undefined ? projects : [givenProject];
  for (const isFit of [hasBudgetLeft, () => true]) {
    for (const model of givenModel === undefined ? models : [givenModel]) {
      const project = open.find((each) => isFit(each) && allowsModel([each.models], model.id));
      if (project !== undefined) return { model, project };
    }
  }
  return { model: givenModel ?? models[0], project: givenProject ?? projects[0] };
}

function hasBudgetLeft({ left_nano_usd: left }: Pick<ProjectJson, 'left_nano_usd'>): boolean {
  return left === null || BigInt(left) > 0n;
}
