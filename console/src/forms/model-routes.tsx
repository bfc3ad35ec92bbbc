import { type ReactNode, useState } from 'react';
import type { OfferJson } from '../../../src/control/admin/offer/offer-contract.ts';
import { reloadOffer, storeModel } from '../api/offer.ts';
import { Button } from '../ui/button.tsx';
import { ResourceForm } from './resource-form.tsx';
import { TextField } from './text-field.tsx';

type OfferedModel = OfferJson['models'][number];

interface ModelRoutesProps {
  readonly model: OfferedModel;
  readonly onClose: () => void;
}

interface RouteEntry {
  readonly route: Readonly<Record<string, unknown>>;
  readonly place: string;
  readonly weight: string;
}

function entriesOf({ declaration: { routes } }: OfferedModel): readonly RouteEntry[] {
  const given: readonly unknown[] = Array.isArray(routes) ? routes : [];
  return given.map((each, index) => {
    const route = { ...(each as object) } as Readonly<Record<string, unknown>>;
    return { route, place: String(index + 1), weight: textOf(route['weight']) };
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function routeName(route: RouteEntry['route']): string {
  return `${textOf(route['provider'])}: ${textOf(route['model'])}`;
}

/** Changes which routes a model has, their order or weights, and its mark-up. */
export function ModelRoutes({ model, onClose }: ModelRoutesProps): ReactNode {
  const [entries, setEntries] = useState(() => entriesOf(model));
  const [markup, setMarkup] = useState(() => textOf(model.declaration['markup']));
  const change = (index: number, given: Partial<RouteEntry>): void =>
    setEntries(entries.map((entry, at) => (at === index ? { ...entry, ...given } : entry)));
  return (
    <ResourceForm
      title={`Change ${model.id}`}
      description="Routes are tried in the order of their places. With weights, requests are spread over them by these."
      onClose={onClose}
      dirty={markup !== textOf(model.declaration['markup']) || entries.length < entriesOf(model).length}
      action="Change model"
      send={() => storeModel(model.id, model.version ?? 0, { ...model.declaration, ...changed(entries, markup) })}
      done={({ id }) => `${id} is changed. New requests go by it in a moment.`}
      reload={reloadOffer}
    >
      {model.declaration['markup'] !== undefined && (
        <TextField
          param="markup"
          label="Mark-up"
          help="A percentage above the highest cost of its routes, such as 10%."
          value={markup}
          onChange={setMarkup}
        />
      )}
      {entries.map(({ route, place, weight }, index) => (
        <fieldset key={JSON.stringify(route)} className="flex flex-col gap-3">
          <legend className="mb-2 text-control font-medium wrap-anywhere">{routeName(route)}</legend>
          <TextField
            param={`place-${index}`}
            label="Place"
            type="number"
            min={1}
            value={place}
            onChange={(text) => change(index, { place: text })}
          />
          <TextField
            param={`weight-${index}`}
            label="Weight"
            help="Either every route has one, or none."
            type="number"
            min={1}
            optional
            value={weight}
            onChange={(text) => change(index, { weight: text })}
          />
          <span className="self-start">
            <Button
              aria-label={`Remove route ${routeName(route)}`}
              onClick={() => setEntries(entries.toSpliced(index, 1))}
              unavailable={entries.length === 1 ? 'A model needs a route. Remove the model instead.' : null}
            >
              Remove route
            </Button>
          </span>
        </fieldset>
      ))}
    </ResourceForm>
  );
}

function changed(entries: readonly RouteEntry[], markup: string) {
  const routes = entries
    .toSorted((left, right) => Number(left.place) - Number(right.place))
    .map(({ route: { weight: _former, ...route }, weight }) => ({
      ...route,
      ...(weight === '' ? {} : { weight: Number(weight) }),
    }));
  return { routes, ...(markup === '' ? {} : { markup: markup.trim() }) };
}
