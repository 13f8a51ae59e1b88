//! What is right, message by message: types of one's own. The messages are those of the catalogue.

mod type_item {
    //! Bad: types/union

    use toolgate::tool_type;

    #[tool_type]
    struct Pair {
        /// One side.
        left: u8,
    }
}

mod type_generic {
    //! Bad: types/generic

    use toolgate::tool_type;

    #[tool_type]
    struct Pair {
        /// One side.
        left: u8,
    }
}

mod type_tuple {
    //! Bad: types/tuple

    use toolgate::tool_type;

    #[tool_type]
    struct Pair {
        /// One side.
        left: u8,
        /// The other.
        right: u8,
    }
}

mod type_empty {
    //! Bad: types/unit_struct

    use toolgate::tool_type;

    #[tool_type]
    struct Something {
        /// What it is.
        what: String,
    }
}

mod type_no_variants {
    //! Bad: types/no_variants

    use toolgate::tool_type;

    #[tool_type]
    enum Mode {
        Fast,
        Safe,
    }
}

mod variant_tuple {
    //! Bad: types/tuple_variant

    use toolgate::tool_type;

    #[tool_type]
    enum Side {
        /// Of the left.
        Left {
            /// How far.
            near: u8,
            /// How far at most.
            far: u8,
        },
    }
}

mod bounds_on_newtype_only {
    //! Bad: types/bounds_on_a_struct

    use toolgate::tool_type;

    #[tool_type]
    struct Side {
        /// One side.
        #[arg(pattern = "a")]
        left: String,
    }
}

mod rename_all_on_enum_only {
    //! Bad: types/rename_all_on_a_struct

    use toolgate::tool_type;

    #[tool_type]
    struct Side {
        /// One side.
        #[arg(rename = "left_side")]
        left: u8,
    }
}

mod rename_all_unknown {
    //! Bad: types/rename_all_unknown

    use toolgate::tool_type;

    #[tool_type(rename_all = "snake_case")]
    enum Side {
        Left,
    }
}

mod part_undescribed {
    //! Bad: types/undescribed_parts

    use toolgate::tool_type;

    #[tool_type]
    struct Side {
        /// Degrees, too.
        left: u8,
        /// Degrees.
        right: u8,
    }

    /// Only told, never asked for.
    #[tool_type(result)]
    struct Seen {
        left: u8,
    }
}

mod word_twice {
    //! Bad: types/word_twice

    use toolgate::tool_type;

    #[tool_type]
    enum Side {
        Left,
        #[arg(rename = "right")]
        Right,
    }
}

mod type_direction {
    //! Bad: types/both_directions

    use toolgate::tool_type;

    #[tool_type]
    struct Side {
        /// One side.
        left: u8,
    }
}

mod newtype_field_options {
    //! Bad: types/newtype_field_options

    use toolgate::tool_type;

    #[tool_type(max_length = 40)]
    struct Name(String);
}

mod type_cfg {
    //! Bad: types/conditional_field

    use toolgate::tool_type;

    #[cfg(all())]
    #[tool_type]
    struct Side {
        /// One side.
        left: u8,
    }
}
