// SPDX-License-Identifier: GPL-2.0-only
/* Sets of peers: whole or not, who misses whom, and which way transfers take. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/acs_path.h"
#include "lib/acs_read.h"
#include "lib/output.h"
#include "status.h"

/* The chains of a set's members, each read once; NULL without memory. */
static struct pp_chain *read_chains(const struct pp_peer_set *set)
{
	struct pp_chain *chains = calloc(set->member_count + 1, sizeof(*chains));

	for (size_t i = 0; chains && i < set->member_count; i++)
		pp_acs_read(set->members[i], &chains[i]);
	return chains;
}

static const struct pp_chain *chain_of(const struct pp_peer_set *set,
				       const struct pp_chain *chains, struct pp_bdf bdf)
{
	size_t i = 0;

	while (!pp_bdf_equal(set->members[i], bdf))
		i++;
	return &chains[i];
}

static void way(const struct pp_peer_set *set, const struct pp_chain *chains,
		const struct pp_set_pair *pair, struct pp_path *path)
{
	pp_acs_path(chain_of(set, chains, pair->initiator), chain_of(set, chains, pair->target),
		    path);
}

static void print_ways(const struct pp_inventory *inv, const struct pp_peer_set *set)
{
	struct pp_chain *chains = read_chains(set);
	char from[PP_BDF_LEN], to[PP_BDF_LEN], text[1536];
	struct pp_path path;

	for (size_t i = 0; chains && i < set->pair_count; i++) {
		const struct pp_set_pair *pair = &set->pairs[i];

		way(set, chains, pair, &path);
		pp_path_text(&path, text, sizeof(text));
		printf("      %s -> %s: %s\n", pp_inventory_label(inv, pair->initiator, from),
		       pp_inventory_label(inv, pair->target, to), text);
	}
	free(chains);
}

static void print_set(const struct status_view *view, const struct pp_peer_set *set)
{
	char from[PP_BDF_LEN], to[PP_BDF_LEN];

	printf("  %s: %s (", set->name, pp_set_state_name(set->state));
	for (size_t i = 0; i < set->member_count; i++)
		printf("%s%s", i ? " " : "", pp_inventory_label(view->inv, set->members[i], from));
	if (set->missing_count)
		printf("), %zu of %zu pairs have no way\n", set->missing_count, set->pair_count);
	else
		puts(")");
	for (size_t i = 0; i < set->pair_count; i++) {
		const struct pp_set_pair *pair = &set->pairs[i];

		if (pair->missing[0])
			printf("      %s -> %s: %s\n",
			       pp_inventory_label(view->inv, pair->initiator, from),
			       pp_inventory_label(view->inv, pair->target, to), pair->missing);
	}
	if (view->ways && set->pair_count) {
		puts("    ways:");
		print_ways(view->inv, set);
	}
}

/** status_print_sets - each set with what it misses; nothing without sets */
void status_print_sets(const struct status_view *view)
{
	if (view->sets.n)
		puts("\nSets of peers:");
	for (size_t i = 0; i < view->sets.n; i++)
		print_set(view, &view->sets.v[i]);
}

static json_t *pair_json(const struct pp_set_pair *pair)
{
	char from[PP_BDF_LEN], to[PP_BDF_LEN];

	return json_pack("{s:s, s:s}", "initiator", pp_bdf_text(pair->initiator, from),
			 "target", pp_bdf_text(pair->target, to));
}

static json_t *bridges_json(const struct pp_path *path)
{
	json_t *array = json_array();
	char bdf[PP_BDF_LEN];

	for (size_t i = 0; i < path->n; i++) {
		const struct pp_port *port = &path->ports[i];

		json_array_append_new(array, json_pack(
			"{s:s, s:s, s:s, s:b}", "bdf", pp_bdf_text(port->bdf, bdf),
			"request_redirect", pp_redirect_name(port->request),
			"completion_redirect", pp_redirect_name(port->completion),
			"decides", (int)i == path->decides));
	}
	return array;
}

static json_t *way_json(const struct pp_set_pair *pair, const struct pp_path *path)
{
	json_t *obj = pair_json(pair);
	int seen = pp_route_through_iommu(path->route);
	char text[1536];

	pp_path_text(path, text, sizeof(text));
	json_object_set_new(obj, "route", json_string(pp_route_name(path->route)));
	json_object_set_new(obj, "through_iommu", seen < 0 ? json_null() : json_boolean(seen));
	json_object_set_new(obj, "bridges", bridges_json(path));
	json_object_set_new(obj, "text", json_string(text));
	return obj;
}

static json_t *set_json(const struct pp_peer_set *set)
{
	json_t *members = json_array(), *missing = json_array(), *ways = json_array();
	struct pp_chain *chains = read_chains(set);
	char bdf[PP_BDF_LEN];
	struct pp_path path;

	for (size_t i = 0; i < set->member_count; i++)
		json_array_append_new(members, json_string(pp_bdf_text(set->members[i], bdf)));
	for (size_t i = 0; i < set->pair_count; i++) {
		const struct pp_set_pair *pair = &set->pairs[i];
		json_t *obj = pair_json(pair);

		if (pair->missing[0]) {
			json_object_set_new(obj, "reason", json_string(pair->missing));
			json_array_append(missing, obj);
		}
		json_decref(obj);
		if (!chains)
			continue;
		way(set, chains, pair, &path);
		json_array_append_new(ways, way_json(pair, &path));
	}
	free(chains);
	return json_pack("{s:s, s:s, s:o, s:o, s:o}", "name", pp_json_text(set->name),
			 "state", pp_set_state_name(set->state), "members", members,
			 "missing", missing, "ways", ways);
}

/** status_sets_json - an array with one object for each set */
json_t *status_sets_json(const struct status_view *view)
{
	json_t *array = json_array();

	for (size_t i = 0; i < view->sets.n; i++)
		json_array_append_new(array, set_json(&view->sets.v[i]));
	return array;
}
